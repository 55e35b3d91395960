import { LAST_DATE } from "../../core/time.js";

/** A time as pi writes it. One that a date cannot hold stays a number, which is not pi's way but loses nothing. */
export function spellTime(ms: number): string | number {
  return Number.isInteger(ms) && Math.abs(ms) <= LAST_DATE ? new Date(ms).toISOString() : ms;
}

/**
 * Whether `value` is how pi writes that time. An entry is mostly written some milliseconds after its message was made,
 * so the last digits settle most cases without the cost of a date.
 *
 *     2025-11-20T23:33:01.550Z     1763681581544
 *                         ^^^                ^^^
 */
export function isSpelling(value: unknown, ms: number): boolean {
  if (typeof value === "string" && value.length === 24 && Number.isInteger(ms) && ms >= 0) {
    const digits = value.charCodeAt(20) * 100 + value.charCodeAt(21) * 10 + value.charCodeAt(22) - 48 * 111;
    if (digits !== ms % 1000) return false;
  }
  return value === spellTime(ms);
}
