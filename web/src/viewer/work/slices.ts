/** Called often during long work; yields to the page when enough time has passed. */
export type YieldToPage = () => Promise<void>;

/** Longer work in one go makes a page feel stuck. */
const SLICE_MS = 12;

/** Pauses only if enough time has passed since the last pause. */
export function createYielder(pause: () => Promise<void>, now: () => number): YieldToPage {
  let since = now();
  return async () => {
    if (now() - since < SLICE_MS) return;
    await pause();
    since = now();
  };
}

/** Resolves after the browser's pending tasks. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

const CHUNK_BYTES = 64 * 1024;

/** The bytes in chunks, yielding to the page between them. */
export async function* inSlices(bytes: Uint8Array, breathe: YieldToPage): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
    await breathe();
  }
}
