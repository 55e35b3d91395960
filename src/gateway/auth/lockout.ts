import { isIPv6 } from "node:net";
import { hashOf } from "./secret.js";

/** Up to this many different wrong tokens are a mistake; more are guesses. */
const FORGIVEN = 5;
const FIRST_LOCK_MS = 1_000;
const LONGEST_LOCK_MS = 15 * 60_000;
/** Wrong tokens are forgotten after this long without another one. */
const FORGOTTEN_MS = 60 * 60_000;
const MOST_ADDRESSES = 10_000;

interface Guesser {
  wrong: Set<string>;
  last: number;
  lockedUntil: number;
}

/**
 * Slows down guessing: after a few wrong tokens an address is locked out for a second, then two, then four. The same wrong
 * token sent repeatedly counts once: it comes from a client that is not up to date.
 */
export class Lockout {
  readonly #guessers = new Map<string, Guesser>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long the address is still locked out, in milliseconds. */
  remaining(address: string): number {
    const wait = (this.#guessers.get(groupOf(address))?.lockedUntil ?? 0) - this.#now();
    // More than the longest means that the clock stepped back.
    return Math.min(LONGEST_LOCK_MS, Math.max(0, wait));
  }

  recordWrong(address: string, secret: string): void {
    const now = this.#now();
    const group = groupOf(address);
    const before = this.#guessers.get(group);
    const guesser =
      before === undefined || now - before.last > FORGOTTEN_MS
        ? { wrong: new Set<string>(), last: now, lockedUntil: 0 }
        : before;
    guesser.last = now;
    const known = guesser.wrong.size;
    guesser.wrong.add(hashOf(secret).slice(0, 16));
    const guesses = guesser.wrong.size - FORGIVEN;
    if (guesser.wrong.size > known && guesses > 0) {
      guesser.lockedUntil = now + Math.min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** (guesses - 1));
    }
    // Keeps the map ordered by last use, oldest first.
    this.#guessers.delete(group);
    this.#guessers.set(group, guesser);
    const [oldest] = this.#guessers.keys();
    if (this.#guessers.size > MOST_ADDRESSES && oldest !== undefined) this.#guessers.delete(oldest);
  }
}

/** One IPv6 client usually owns a whole /64. */
function groupOf(address: string): string {
  if (!isIPv6(address) || address.startsWith("::")) return address;
  const [head = [], tail] = address.split("::").map((part) => part.split(":"));
  // `2001:db8::1` leaves out the zeros in its middle.
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(":");
}
