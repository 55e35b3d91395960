/** `@1794744202787.125@`: the time of writing, by the clock that all processes share. The length is fixed. */
export function stamp(): string {
  return `@${(performance.timeOrigin + performance.now()).toFixed(3)}@`;
}

const STAMP = /@\d{13}\.\d{3}@/;

/** Milliseconds since the first stamp in a text; undefined without one. */
export function ageOf(text: string): number | undefined {
  const found = STAMP.exec(text)?.[0];
  if (found === undefined) return undefined;
  return performance.timeOrigin + performance.now() - Number(found.slice(1, -1));
}

/** The text with the current time in its first stamp. */
export function stampedAnew(text: string): string {
  return text.replace(STAMP, stamp());
}
