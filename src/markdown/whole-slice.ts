/** A slice of `units` UTF-16 units, or one fewer if it would end inside a surrogate pair. */
export function wholeSlice(text: string, start: number, units: number): string {
  const slice = text.slice(start, start + units);
  return /[\ud800-\udbff]$/.test(slice) ? slice.slice(0, -1) : slice;
}
