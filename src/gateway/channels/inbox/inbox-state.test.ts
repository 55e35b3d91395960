import { expect, test } from "vitest";
import { inboundOf } from "../../../../test/fakes/chat-platform.js";
import { readInboxRecord } from "../read-record.js";
import type { InboxRecord } from "../record-schema.js";
import { InboxState, keyOf } from "./inbox-state.js";

const DAY = 24 * 3_600_000;

function arrival(id: string, at = 0): InboxRecord & { type: "in" } {
  const inbound = inboundOf("x", { id });
  return { type: "in", key: keyOf(inbound), at, inbound };
}

test("it says the same after it was written anew and read again", () => {
  const state = new InboxState(() => 5);
  for (const id of ["done", "kept", "batched", "waits"]) state.apply(arrival(id, 5));
  state.apply({ type: "done", keys: ['["7","done"]'] });
  state.apply({ type: "context", keys: ['["7","kept"]'] });
  state.apply({ type: "batch", keys: ['["7","batched"]'] });
  const again = new InboxState(() => 5);
  for (const record of state.snapshot()) {
    const read = readInboxRecord(JSON.parse(JSON.stringify(record)));
    if (read === undefined) throw new Error("it cannot be read");
    again.apply(read);
  }
  expect([...again.waiting.keys()]).toEqual(['["7","waits"]']);
  expect([...again.batches.keys()]).toEqual(['["7","batched"]']);
  expect(again.contextOf('["7"]').map(({ key }) => key)).toEqual(['["7","kept"]']);
  for (const id of ["done", "kept", "batched", "waits"]) expect(again.has(`["7","${id}"]`)).toBe(true);
  expect([...again.snapshot()]).toEqual([...state.snapshot()]);
});

test("ids are remembered for thirty days, a hundred thousand of them", () => {
  let now = 0;
  const state = new InboxState(() => now);
  state.apply({ type: "seen", ids: [["old", 0]] });
  now = 30 * DAY;
  state.apply({ type: "seen", ids: [["newer", now]] });
  expect(state.has("old")).toBe(true);
  now += 1;
  state.apply({ type: "seen", ids: [["newest", now]] });
  expect([state.has("old"), state.has("newer")]).toEqual([false, true]);
  state.apply({ type: "seen", ids: Array.from({ length: 100_000 }, (_, count) => [`n${count}`, now]) });
  expect([state.has("newer"), state.has("newest"), state.has("n0"), state.has("n99999")]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test("each edit is another message than the one it edits", () => {
  const keys = [
    inboundOf("a", { id: "1" }),
    inboundOf("b", { id: "1", edits: "1" }),
    inboundOf("c", { id: "1", edits: "1" }),
    inboundOf("c", { id: "1", edits: "1" }),
  ].map(keyOf);
  expect(new Set(keys).size).toBe(3);
});

test.each([
  null,
  {},
  { type: "in", key: "k", at: 1 },
  { type: "in", key: "k", at: 1, inbound: { ...inboundOf("x"), place: { kind: "room", chat: "1" } } },
  { type: "done", keys: [1] },
  { type: "else" },
])("%j is no record", (value) => {
  expect(readInboxRecord(value)).toBeUndefined();
});

test("every id that is remembered is remembered after it was written anew, however many there are", () => {
  const state = new InboxState(() => 5);
  const ids = Array.from({ length: 2_500 }, (_, count) => `n${count}`);
  state.apply({ type: "seen", ids: ids.map((id) => [id, 5] as const) });
  const again = new InboxState(() => 5);
  for (const record of state.snapshot()) again.apply(record);
  expect(ids.filter((id) => !again.has(id))).toEqual([]);
});

test("what was not for us is kept of a thousand places, those that were used last", () => {
  const state = new InboxState(() => 0);
  const say = (chat: string, id: string) => {
    const inbound = inboundOf("x", { id, place: { kind: "group", chat } });
    state.apply({ type: "in", key: keyOf(inbound), at: 0, inbound });
    state.apply({ type: "context", keys: [keyOf(inbound)] });
  };
  for (let place = 0; place < 1000; place++) say(`c${place}`, "1");
  say("c0", "2");
  const kept = (chat: string) => state.contextOf(JSON.stringify([chat])).length;
  expect(["c0", "c1", "c999"].map(kept)).toEqual([2, 1, 1]);
  say("c1000", "1");
  expect(["c0", "c1", "c2", "c1000"].map(kept)).toEqual([2, 0, 1, 1]);
});

test("of the ids that are remembered, one that is damaged costs no other", () => {
  const ids = [["a", 1], ["b"], ["c", 2, "ann"], ["d", "3"], ["e", 4, null], "f"];
  expect(readInboxRecord({ type: "seen", ids })).toEqual({
    type: "seen",
    ids: [
      ["a", 1],
      ["c", 2, "ann"],
    ],
  });
});
