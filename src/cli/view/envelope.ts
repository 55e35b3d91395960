/** What the viewer is told of a transcript. */
export interface About {
  name: string;
  /** Found out by the viewer unless given. */
  dialect: string | undefined;
}

/**
 * What the viewer reads: a line about the transcript, then its bytes as they are.
 *
 *     {"name":"session.jsonl"}
 *     …
 */
export async function* envelope(about: About, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(about)}\n`);
  yield* bytes;
}
