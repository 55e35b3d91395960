import { encodeTime, incrementBase32, TIME_LEN, ulid } from "ulid";

/** Ids end in zeros: what belongs to one message can be numbered after it without meeting the id of the next. */
const ROOM = "000";

/** Makes ids: each sorts after the one before it, also within a millisecond and when the clock steps back. */
export function idSource(now: () => number = Date.now, random?: () => number): () => string {
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

/** A new ULID, after every other one this process made. */
export const newId: () => string = idSource();
