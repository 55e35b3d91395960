import { describe, expect, test } from "vitest";
import { isMade, isUlid, makeId, nextBlockId } from "./ids.js";

describe("an id for a message without one", () => {
  test.each([
    ["nothing before it: its time", undefined, 1_736_951_400_000, "01JHN5Y1J0DRAG0MAN00000000"],
    ["an earlier id", "01JHN5Y0JR0000000000000001", 1_736_951_400_000, "01JHN5Y1J0DRAG0MAN00000000"],
    ["a made one of its time", "01JHN5Y1J0DRAG0MAN00000000", 1_736_951_400_000, "01JHN5Y1J0DRAG0MAN00001000"],
    ["a block of such", "01JHN5Y1J0DRAG0MAN0000Z00C", 1_736_951_400_000, "01JHN5Y1J0DRAG0MAN00010000"],
    ["a later made one", "01JHN5Y1J0DRAG0MAN00003000", 5, "01JHN5Y1J0DRAG0MAN00004000"],
    ["an id that sorts before the mark", "01JHN5Y1J00000000000000001", 5, "01JHN5Y1J0DRAG0MAN00000000"],
    ["an id that sorts after the mark", "01JHN5Y1J0Z000000000000001", 5, "01JHN5Y1J1DRAG0MAN00000000"],
    ["a low id that is no ULID", "01J...001", 1_736_951_400_000, "01JHN5Y1J0DRAG0MAN00000000"],
    ["a high id that is no ULID", "msg-7", 1_736_951_400_000, "msg-7DRAG0MAN00000000"],
    ["one made after that", "msg-7DRAG0MAN00000000", 5, "msg-7DRAG0MAN00001000"],
    ["the last count", "01JHN5Y1J0DRAG0MANZZZZZ000", 5, "01JHN5Y1J1DRAG0MAN00000000"],
    ["the last ULID", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 5, "7ZZZZZZZZZZZZZZZZZZZZZZZZZDRAG0MAN00000000"],
    ["a time before 1970", undefined, -1, "0000000000DRAG0MAN00000000"],
    ["a time beyond ULIDs", undefined, 1e300, "7ZZZZZZZZZDRAG0MAN00000000"],
    ["no time at all", undefined, Number.NaN, "0000000000DRAG0MAN00000000"],
  ])("after %s", (_, last, time, made) => {
    expect(makeId(last, time)).toBe(made);
    expect(isMade(made)).toBe(true);
    if (last !== undefined) expect(made > last).toBe(true);
  });
});

describe("the id of the next block", () => {
  test.each([
    ["01JHN5Y1J0A7Q3ZK5T9V2XWB4C", "01JHN5Y1J0A7Q3ZK5T9V2XWB4D"],
    ["01JHN5Y1J0A7Q3ZK5T9V2XWBZZ", "01JHN5Y1J0A7Q3ZK5T9V2XWC00"],
    ["01JHN5Y1J0DRAG0MAN00002000", "01JHN5Y1J0DRAG0MAN00002001"],
    ["01JHN5Y1J0ZZZZZZZZZZZZZZZZ", "01JHN5Y1J0ZZZZZZZZZZZZZZZZDRAG0MAN00000001"],
    ["01J...001", "01J...001DRAG0MAN00000001"],
    ["01J...001DRAG0MAN00000001", "01J...001DRAG0MAN00000002"],
  ])("after %s is %s", (id, next) => {
    expect(nextBlockId(id)).toBe(next);
    expect(isMade(next)).toBe(false);
  });
});

test.each([
  ["01JHN5Y1J0A7Q3ZK5T9V2XWB4C", true],
  ["01JHN5Y1J0DRAG0MAN00000000", true],
  ["01jhn5y1j0a7q3zk5t9v2xwb4c", false],
  ["81JHN5Y1J0A7Q3ZK5T9V2XWB4C", false],
  ["01JHN5Y1J0A7Q3ZK5T9V2XWB4U", false],
  ["01J...001", false],
])("%s is a ULID: %s", (id, is) => expect(isUlid(id)).toBe(is));
