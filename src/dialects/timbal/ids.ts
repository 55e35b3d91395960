import { decodeTime, encodeTime, TIME_MAX } from "ulid";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Timbal requires ids and the model does not. A message without an id gets a ULID with a mark:
 *
 *     01JHN4S6C0 DRAG0MAN 00000 000
 *     time       mark     count block
 *
 * Such an id only keeps the transcript in order; a new one is made each time the message is written.
 */
const MARK = "DRAG0MAN";
const MADE = /^(.*)DRAG0MAN([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{3})$/s;
const FIRST_BLOCK = "000";

export function isUlid(id: string): boolean {
  return ULID.test(id);
}

/** Whether the id was made for a message without one. */
export function isMade(id: string): boolean {
  return MADE.exec(id)?.[3] === FIRST_BLOCK;
}

/** Whether the id was made for a message without one, or for a later block of it. */
export function isMarked(id: string): boolean {
  return MADE.test(id);
}

/** An id for a message that has none, after `last`. */
export function makeId(last: string | undefined, timestamp: number): string {
  const time = Math.max(clamp(timestamp), last !== undefined && isUlid(last) ? decodeTime(last) : 0);
  const made = first(encodeTime(time));
  if (last === undefined || made > last) return made;
  const [, before = "", count = ""] = MADE.exec(last) ?? [];
  const next = increment(count);
  if (next !== undefined) return `${before}${MARK}${next}${FIRST_BLOCK}`;
  return isUlid(last) && time < TIME_MAX ? first(encodeTime(time + 1)) : first(last);
}

/** The id plus one. */
export function nextBlockId(id: string): string {
  const next = isUlid(id) || isMarked(id) ? increment(id.slice(-16)) : undefined;
  return next === undefined ? firstMarked(id) : id.slice(0, -16) + next;
}

/** The same with the mark: it sorts right after the id that it continues. */
export function markedBlockId(id: string): string {
  return isMarked(id) ? nextBlockId(id) : firstMarked(id);
}

function firstMarked(id: string): string {
  return `${id}${MARK}00000001`;
}

function first(before: string): string {
  return `${before}${MARK}00000${FIRST_BLOCK}`;
}

function clamp(timestamp: number): number {
  return Number.isFinite(timestamp) ? Math.min(Math.max(Math.floor(timestamp), 0), TIME_MAX) : 0;
}

/** The next number of the same length in base 32; undefined after the last one. */
function increment(digits: string): string | undefined {
  for (let at = digits.length - 1; at >= 0; at--) {
    const value = DIGITS.indexOf(digits.charAt(at));
    const zeros = "0".repeat(digits.length - at - 1);
    if (value < DIGITS.length - 1) return digits.slice(0, at) + DIGITS.charAt(value + 1) + zeros;
  }
  return undefined;
}
