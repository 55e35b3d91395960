const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970; undefined if it is not a time with a zone. */
export function parseTime(t: unknown): number | undefined {
  if (typeof t !== "string" || !ISO.test(t)) return undefined;
  const time = Date.parse(t);
  return Number.isNaN(time) ? undefined : time;
}

/** As Timbal writes it, `2025-01-15T14:30:00.000Z`; undefined if the year is out of range. */
export function formatTime(time: number): string | undefined {
  const date = new Date(Math.floor(time));
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString() : undefined;
}
