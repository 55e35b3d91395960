/** As much of a WebSocket as the client needs: a browser's, Node's, or that of the package `ws`. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
}

export type SocketConstructor = new (url: string, protocols: string[]) => SocketLike;

/** What time and chance are. Tests pass their own. */
export interface ClientWorld {
  /** From 0 to 1. */
  random(): number;
  /** Calls back after a while, unless cancelled first. */
  after(ms: number, callback: () => void): () => void;
}

export const realWorld: ClientWorld = {
  random: () => Math.random(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/** How long to wait before the next attempt: longer each time, and not for everybody the same. */
export function pauseBefore(attempt: number, random: () => number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return longest * (0.5 + random() / 2);
}
