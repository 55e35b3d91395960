/** Lets the page breathe: fulfilled when it had the chance to draw and to answer. */
export type Pause = () => Promise<void>;

export interface SliceOptions {
  pause: Pause;
  now: () => number;
  /** Told how far it is, from 0 to 1, at each pause. */
  onProgress?: (share: number) => void;
}

const CHUNK_BYTES = 64 * 1024;
/** Longer than this at a stretch, and a page feels stuck. */
const STRETCH_MS = 12;

/** The bytes in pieces, with a pause whenever the work on them has taken long enough. */
export async function* inSlices(
  bytes: Uint8Array,
  { pause, now, onProgress }: SliceOptions,
): AsyncGenerator<Uint8Array> {
  let since = now();
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
    if (now() - since < STRETCH_MS) continue;
    onProgress?.(Math.min(1, (start + CHUNK_BYTES) / bytes.length));
    await pause();
    since = now();
  }
}
