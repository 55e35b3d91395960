/** A terminal that does not know its size reports 0 columns. */
const USUAL = 80;

/** The columns of a terminal; undefined if the stream is not one. */
export function columnsOf(stream: { isTTY?: boolean; columns?: number }): number | undefined {
  if (stream.isTTY !== true) return undefined;
  return stream.columns === undefined || stream.columns < 1 ? USUAL : stream.columns;
}
