import { encodeTime, incrementBase32, TIME_LEN, ulid } from "ulid";

/** Ids end in zeros: what belongs to one message can be numbered after it without meeting the id of the next. */
const ROOM = "000";

/** Makes ids: each sorts after the one before it, also within a millisecond and when the clock steps back. */
export function idSource(now: () => number = Date.now, random: () => number = pooledRandom()): () => string {
  let time = -1;
  let digits = "";
  return () => {
    const moment = now();
    if (moment > time) {
      time = moment;
      digits = ulid(0, random).slice(TIME_LEN, -ROOM.length);
    } else {
      digits = incrementBase32(digits);
    }
    return encodeTime(time) + digits + ROOM;
  };
}

/** Numbers from 0 to 1 that nobody can guess. Asking for a thousand at once costs as much as asking for one. */
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

/** A new ULID, after every other one this process made. */
export const newId: () => string = idSource();
