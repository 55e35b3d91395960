/** In the language and the time zone of the reader's browser. */
const formats = {
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: "short" }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }),
  moment: new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }),
  month: new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric" }),
  relative: new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" }),
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** `Nov 15, 2026, 3:04 PM` */
export function moment(time: number): string {
  return formats.moment.format(time);
}

/** `Nov 15, 2026` */
export function day(time: number): string {
  return formats.day.format(time);
}

/** `November 2026` */
export function month(time: number): string {
  return formats.month.format(time);
}

/** `3:04 PM` for today, `Nov 15, 2026` for other days. */
export function clockOrDay(time: number, now: number): string {
  return time >= new Date(now).setHours(0, 0, 0, 0) ? formats.clock.format(time) : day(time);
}

/** `now`, `5 min. ago`, `3 hr. ago`; after a day the date. */
export function ago(time: number, now: number): string {
  const past = Math.max(0, now - time);
  if (past < MINUTE_MS) return formats.relative.format(0, "second");
  if (past < HOUR_MS) return formats.relative.format(-Math.floor(past / MINUTE_MS), "minute");
  if (past < 24 * HOUR_MS) return formats.relative.format(-Math.floor(past / HOUR_MS), "hour");
  return day(time);
}
