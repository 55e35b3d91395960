/** Smaller timestamps are seconds: as milliseconds they would be before March 1973, as seconds larger ones after 5138. */
export const SECONDS_END = 1e11;

/** The last millisecond that a `Date` can hold, counted from 1970; the first is as far on the other side. */
export const LAST_DATE = 8.64e15;

/** A date, or a date and a time, in the one way that reads the same on every machine. */
const ISO = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Unix milliseconds of what stands in a `timestamp`; undefined when it is no time. Without a zone it is UTC. */
export function instantOf(value: unknown): number | undefined {
  const ms = typeof value === "string" ? parseIso(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : undefined;
}

function parseIso(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const isLocal = match[1] === undefined && text.includes("T");
  return Date.parse(isLocal ? `${text}Z` : text);
}
