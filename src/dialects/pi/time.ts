import { LAST_DATE } from "../../core/time.js";

/** A time as pi writes it. One outside the range of dates stays a number, so that nothing is lost. */
export function spellTime(ms: number): string | number {
  return Number.isInteger(ms) && Math.abs(ms) <= LAST_DATE ? new Date(ms).toISOString() : ms;
}

/**
 * Whether `value` is how pi writes that time. An entry is usually written a few milliseconds after its message was made,
 * so comparing the last digits first avoids most of the costly date conversions.
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
