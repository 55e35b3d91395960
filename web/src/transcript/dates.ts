import { perLocale } from "../text/locale.js";

/** In the reader's locale and the time zone of the browser. */
const formats = perLocale((locale) => ({
  clock: new Intl.DateTimeFormat(locale, { timeStyle: "short" }),
  day: new Intl.DateTimeFormat(locale, { dateStyle: "medium" }),
  utcDay: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }),
  moment: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  month: new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" }),
  relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }),
}));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** `Nov 15, 2026, 3:04 PM` */
export function moment(time: number): string {
  return formats().moment.format(time);
}

/** `Nov 15, 2026` */
export function day(time: number): string {
  return formats().day.format(time);
}

/** `Nov 15, 2026`, the day in UTC. */
export function utcDay(time: number): string {
  return formats().utcDay.format(time);
}

/** `November 2026` */
export function month(time: number): string {
  return formats().month.format(time);
}

/** `3:04 PM` for today, `Nov 15, 2026` for other days. */
export function clockOrDay(time: number, now: number): string {
  return time >= startOfDay(now) ? formats().clock.format(time) : day(time);
}

/** `now`, `5 min. ago`, `3 hr. ago`, `yesterday`, `6 days ago`; after a week the date. */
export function ago(time: number, now: number): string {
  const past = Math.max(0, now - time);
  const { relative } = formats();
  if (past < MINUTE_MS) return relative.format(0, "second");
  if (past < HOUR_MS) return relative.format(-Math.floor(past / MINUTE_MS), "minute");
  if (past < DAY_MS) return relative.format(-Math.floor(past / HOUR_MS), "hour");
  // Days of the calendar; a change of the clocks makes some an hour longer or shorter.
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY_MS);
  return days < 7 ? relative.format(-days, "day") : day(time);
}
