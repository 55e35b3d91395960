/** Called often during long work; lets the page draw and answer when it is time for that. */
export type Breathe = () => Promise<void>;

/** Longer than this at a stretch, and a page feels stuck. */
const STRETCH_MS = 12;

/** Pauses only if the work since the last pause has taken long enough. */
export function breather(pause: () => Promise<void>, now: () => number): Breathe {
  let since = now();
  return async () => {
    if (now() - since < STRETCH_MS) return;
    await pause();
    since = now();
  };
}

/** Behind everything the browser has waiting. */
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

/** The bytes in pieces, with a breath between them. */
export async function* inSlices(bytes: Uint8Array, breathe: Breathe): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
    await breathe();
  }
}
