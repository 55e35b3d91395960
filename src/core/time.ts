/** Timestamps below this are seconds: as milliseconds they would be before March 1973; above it, as seconds, after 5138. */
export const SECONDS_END = 1e11;

/** The largest Unix time in milliseconds that a `Date` can hold; the smallest is its negative. */
export const LAST_DATE = 8.64e15;

/** A date, or a date and time, in the one form that every machine reads alike. */
const ISO = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** The Unix milliseconds of a `timestamp` value; undefined if it is not a time. Times without a zone are UTC. */
export function instantOf(value: unknown): number | undefined {
  const ms = typeof value === "string" ? parseIso(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : undefined;
}

/** Unix seconds, perhaps with a fraction, as milliseconds; undefined if it is not a number. */
export function instantOfSeconds(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value * 1000) : undefined;
}

function parseIso(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const isLocal = match[1] === undefined && text.includes("T");
  return Date.parse(isLocal ? `${text}Z` : text);
}

/** ISO text of a message's time in whole milliseconds. `ms` is unknown because messages of an unknown role need not have one. */
export function isoTime(ms: unknown): string {
  const isDate = typeof ms === "number" && Math.abs(ms) <= LAST_DATE;
  return new Date(isDate ? Math.trunc(ms) : 0).toISOString();
}
