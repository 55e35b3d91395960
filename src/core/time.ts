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
  if (text === EPOCH) return 0;
  const inDay = text.startsWith(day.text) ? sinceMidnight(text, day.text.length) : undefined;
  if (inDay !== undefined) return day.start + inDay;
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const isLocal = match[1] === undefined && text.includes("T");
  const ms = Date.parse(isLocal ? `${text}Z` : text);
  if (!Number.isNaN(ms)) enterDay(ms);
  return ms;
}

/** ISO text of a message's time in whole milliseconds. `ms` is unknown because messages of an unknown role need not have one. */
export function isoTime(ms: unknown): string {
  const isDate = typeof ms === "number" && Math.abs(ms) <= LAST_DATE;
  const time = isDate ? Math.trunc(ms) : 0;
  if (time === 0) return EPOCH;
  let inDay = time - day.start;
  if (inDay < 0 || inDay >= DAY_MS) {
    enterDay(time);
    inDay = time - day.start;
  }
  const seconds = Math.floor(inDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = inDay - seconds * 1000;
  const fraction = rest < 10 ? `00${rest}` : rest < 100 ? `0${rest}` : rest;
  return `${day.text}${twoDigits(hours)}:${twoDigits(minutes - hours * 60)}:${twoDigits(seconds - minutes * 60)}.${fraction}Z`;
}

function twoDigits(count: number): string {
  return count < 10 ? `0${count}` : `${count}`;
}

const DAY_MS = 86_400_000;

/** The time of messages without one. It does not count as a day, because it comes between the times of others. */
const EPOCH = "1970-01-01T00:00:00.000Z";

/**
 * The day of the last time that was read or written: `2025-01-06T`, and its start. The times of a transcript are close
 * together, and `Date` is more than ten times slower than arithmetic within a day.
 */
let day = { text: "1970-01-01T", start: 0 };

function enterDay(ms: number): void {
  const start = Math.floor(ms / DAY_MS) * DAY_MS;
  const text = new Date(start).toISOString();
  day = { text: text.slice(0, text.indexOf("T") + 1), start };
}

const COLON = 0x3a;
const DOT = 0x2e;
const ZULU = 0x5a;

/** The milliseconds in `HH:MM:SS.sssZ` from there to the end of the text; undefined for other forms. */
function sinceMidnight(text: string, at: number): number | undefined {
  const isPlain =
    text.length === at + 13 &&
    text.charCodeAt(at + 2) === COLON &&
    text.charCodeAt(at + 5) === COLON &&
    text.charCodeAt(at + 8) === DOT &&
    text.charCodeAt(at + 12) === ZULU;
  if (!isPlain) return undefined;
  const hours = twoDigitsIn(text, at);
  const minutes = twoDigitsIn(text, at + 3);
  const seconds = twoDigitsIn(text, at + 6);
  const hundredths = twoDigitsIn(text, at + 9);
  const last = twoDigitsIn(text, at + 10);
  const isTime = hours < 24 && minutes < 60 && seconds < 60 && hundredths < 100 && last < 100;
  if (!isTime) return undefined;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10 + (last % 10);
}

/** Greater than any number of two digits if one is not a digit. */
const NO_DIGITS = 100;

function twoDigitsIn(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NO_DIGITS;
}
