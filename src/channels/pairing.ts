import type { ApprovedPerson, Pending, People } from "./people-schema.js";
import { idsOf } from "./person-ids.js";
import type { Person } from "./types.js";

/** Without look-alikes: no I, O, 0 or 1. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 8;
/** How long a code is valid. */
export const LIFE_MS = 60 * 60_000;
/** Keeps the owner's list short, however many strangers write. */
const MOST_PENDING = 3;
const LONGEST_NAME = 80;

export interface PairingRequest {
  sender: Person;
  message: string;
  now: number;
  /** Cryptographically random bytes. */
  random(count: number): Uint8Array;
}

/**
 * Handles a stranger's message. `code` is the code to send them; undefined if they already got one for another message, or
 * if too many people are pending.
 */
export function requestPairing(
  people: People,
  { sender, message, now, random }: PairingRequest,
): { people: People; code?: string } {
  const pending = stillPending(people, now);
  const known = pending.find(({ id }) => idsOf(sender).includes(id));
  if (known !== undefined) return known.message === message ? { people, code: known.code } : { people };
  if (pending.length >= MOST_PENDING) return { people };
  const code = newCode(random, new Set(pending.map((one) => one.code)));
  const entry: Pending = { code, id: sender.id, ...shortName(sender), message, since: now };
  return { people: { ...people, pending: [...pending, entry] }, code };
}

/** Approves the person with the entered code. Undefined if the code is unknown or expired. */
export function approve(
  people: People,
  entered: string,
  { now, owner }: { now: number; owner: boolean },
): { people: People; person: ApprovedPerson } | undefined {
  // `abcd-efgh` is `ABCDEFGH`.
  const code = entered.toUpperCase().replace(/[\s-]/g, "");
  const pending = stillPending(people, now);
  const found = pending.find((one) => one.code === code);
  if (found === undefined) return undefined;
  const person: ApprovedPerson = { id: found.id, ...shortName(found), owner, since: now };
  return {
    people: {
      approved: [...people.approved.filter(({ id }) => id !== person.id), person],
      pending: pending.filter((one) => one !== found),
    },
    person,
  };
}

/** Removes an approved or pending person. */
export function removePerson(people: People, id: string): People {
  return {
    approved: people.approved.filter((person) => person.id !== id),
    pending: people.pending.filter((person) => person.id !== id),
  };
}

/** People whose codes have not expired. */
export function stillPending({ pending }: People, now: number): readonly Pending[] {
  return pending.filter(({ since }) => now - since < LIFE_MS);
}

function newCode(random: PairingRequest["random"], taken: ReadonlySet<string>): string {
  for (;;) {
    // 256 is a multiple of the 32 letters, so the modulo is not biased.
    const code = [...random(CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
    if (!taken.has(code)) return code;
  }
}

/** Platforms allow very long names. */
function shortName({ name }: { name?: string }): { name?: string } {
  return name === undefined ? {} : { name: [...name].slice(0, LONGEST_NAME).join("") };
}
