/** What a call needs of the world around it. Tests pass their own. */
export interface World {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Unix milliseconds. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Calls back after a while, unless cancelled first. */
  after(ms: number, callback: () => void): () => void;
  env(name: string): string | undefined;
}

/** The real one. */
export const world: World = {
  fetch: (url, init) => globalThis.fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  env: (name) => globalThis.process?.env[name],
};

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function sleep({ after }: Pick<World, "after">, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = after(ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
    return undefined;
  });
}
