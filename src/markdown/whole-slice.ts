/** So many units from a place on, or one fewer where the last would be half a character. */
export function wholeSlice(text: string, start: number, units: number): string {
  const slice = text.slice(start, start + units);
  return /[\ud800-\udbff]$/.test(slice) ? slice.slice(0, -1) : slice;
}
