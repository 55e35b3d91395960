import { LAST_DATE } from "../time.js";

/** Control characters besides tab and line feed, and halves of surrogate pairs. */
const UNPRINTABLE = /\r\n?|(?![\t\n])[\p{Cc}\p{Surrogate}]/gu;
const REPLACEMENT = "\ufffd";
const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = "\u2421";

/**
 * Text as a page can contain it. Line ends become line feeds, control characters their visible pictures (`␛`), and
 * what has no picture the replacement character.
 */
export function shownText(text: string): string {
  return text.replaceAll(UNPRINTABLE, (found) => {
    const code = found.charCodeAt(0);
    if (found.startsWith("\r")) return "\n";
    if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
    return code === 0x7f ? DELETE_PICTURE : REPLACEMENT;
  });
}

/** The same on one line. */
export function shownLine(text: string): string {
  return shownText(text).replaceAll(/[\n\t\u2028\u2029]/g, " ");
}

/** Whether a page can show the time: a whole millisecond of a calendar date. */
export function isShownTime(timestamp: number): boolean {
  return Number.isInteger(timestamp) && Math.abs(timestamp) <= LAST_DATE;
}

/** `2026-03-01 10:00:05`, in UTC; milliseconds only if there are any. */
export function timeText(timestamp: number): string {
  return new Date(timestamp)
    .toISOString()
    .replace("T", " ")
    .replace("Z", "")
    .replace(/\.000$/, "");
}
