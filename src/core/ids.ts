import { encodeTime, incrementBase32, TIME_LEN, ulid } from "ulid";

/** Ids end in zeros, so that the parts of a message can be numbered without reaching the next message's id. */
const ROOM = "000";

/** Makes ids that sort in order of creation, also within a millisecond and when the clock steps back. */
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
