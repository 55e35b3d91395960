const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** `3 min ago`; a date after a week. */
export function ago(time: number, now: number): string {
  const past = now - time;
  if (past < 0 || past >= WEEK) return day(time);
  if (past < MINUTE) return "just now";
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  const days = Math.floor(past / DAY);
  return days === 1 ? "1 day ago" : `${days} days ago`;
}

/** `2026-01-15 09:30`, in local time. */
export function moment(time: number): string {
  const date = new Date(time);
  return `${day(time)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function day(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

const units: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY, w: WEEK };

/**
 * Parses an ISO day or moment, or an age such as `3d`. `edge` picks the start or the end of a day.
 *
 * @example
 * timeOf("2026-01-15", "begin", Date.now());
 * timeOf("3d", "begin", Date.now());
 */
export function timeOf(text: string, edge: "begin" | "end", now: number): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (units[unit] ?? 0);
  // Without a time of day, Date.parse assumes UTC.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = Date.parse(isDay ? `${text}T${edge === "begin" ? "00:00:00.000" : "23:59:59.999"}` : text);
  return Number.isNaN(time) || !/^\d{4}-\d{2}/.test(text) ? undefined : time;
}
