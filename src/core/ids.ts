import { encodeTime, incrementBase32, TIME_LEN, ulid } from "ulid";

/** Ids end in zeros, so that the parts of a message can be numbered without reaching the next message's id. */
const ROOM = "000";
/** Of a ULID, in ascending order. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Makes ids that sort in order of creation, also within a millisecond and when the clock steps back. */
export function idSource(now: () => number = Date.now, random: () => number = pooledRandom()): () => string {
  let time = -1;
  let [prefix, digits] = ["", ""];
  /** The place of the last digit in the alphabet. */
  let last = 0;
  const setDigits = (all: string) => {
    digits = all.slice(0, -1);
    last = DIGITS.indexOf(all.slice(-1));
  };
  return () => {
    const moment = now();
    if (moment > time) {
      time = moment;
      prefix = encodeTime(time);
      setDigits(ulid(0, random).slice(TIME_LEN, -ROOM.length));
    } else if (++last === DIGITS.length) {
      // The library increments a number of any length, which takes longer.
      setDigits(incrementBase32(digits + DIGITS.slice(-1)));
    }
    return prefix + digits + DIGITS.charAt(last) + ROOM;
  };
}

/** Unpredictable numbers from 0 to 1, drawn in batches: one call for a thousand costs as much as one for a single number. */
function pooledRandom(): () => number {
  const pool = new Uint32Array(1024);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    return (pool[used++] ?? 0) / 2 ** 32;
  };
}

/** A new ULID. In this process, each sorts after all earlier ones. */
export const newId: () => string = idSource();
