export interface About {
  name: string;
  /** Detected by the viewer if undefined. */
  dialect: string | undefined;
}

/**
 * What the viewer reads: a line of metadata, then the transcript's bytes.
 *
 *     {"name":"session.jsonl"}
 *     …
 */
export async function* envelope(about: About, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(about)}\n`);
  yield* bytes;
}
