import { expect, test } from "vitest";
import { readOutboxRecord } from "../read-record.js";
import type { OutboxRecord } from "../record-schema.js";
import { OutboxState } from "./outbox-state.js";

const DAY = 24 * 3_600_000;
const asked = { place: { kind: "group", chat: "-5", thread: "3" }, replyTo: "12" } as const;
const answer: OutboxRecord = {
  type: "answer",
  id: "A",
  at: 1,
  asked,
  parts: [{ native: "one" }, { native: "two", plain: "2" }],
  session: "S",
  next: 100,
};

function applied(records: readonly OutboxRecord[], now = () => 1): OutboxState {
  const state = new OutboxState(now);
  for (const record of records) state.apply(record);
  return state;
}

/** What was written anew, read as a new process reads it. */
function reread(state: OutboxState, now?: () => number): OutboxState {
  const lines = [...state.snapshot()].map((record) => JSON.stringify(record));
  const records = lines.map((line) => readOutboxRecord(JSON.parse(line)));
  expect(records).not.toContain(undefined);
  return applied(
    records.filter((record) => record !== undefined),
    now,
  );
}

test("it says the same after it was written anew and read again", () => {
  const state = applied([
    { type: "follow", session: "S", from: 10 },
    { type: "preview", session: "S", place: asked.place, state: "sent", as: "p1" },
    answer,
    { type: "adopt", id: "A", session: "S" },
    { type: "part", id: "A", index: 0, state: "sending" },
    { type: "follow", session: "T", from: 5, asked },
    { type: "preview", session: "T", place: asked.place, state: "sending" },
    { ...answer, id: "B", session: "T", next: 6, parts: [{ native: "x" }] },
    { type: "part", id: "B", index: 0, state: "unknown", why: "lost" },
  ]);
  const again = reread(state);
  expect([...again.snapshot()]).toEqual([...state.snapshot()]);
  expect([...again.followed]).toEqual([
    ["S", { from: 100, asked }],
    ["T", { from: 6, asked }],
  ]);
  expect(again.answers.get("A")?.parts).toEqual([
    { key: "0", outgoing: { native: "one" }, state: "sending", edits: "p1" },
    { key: "1", outgoing: { native: "two", plain: "2" }, state: "pending" },
  ]);
  expect([...again.previews]).toEqual([["T", { place: asked.place, state: "sending" }]]);
  expect([again.count("unsent"), again.count("unknown"), again.count("refused")]).toEqual([2, 1, 0]);
  expect([again.has("A"), again.has("B"), again.has("C")]).toEqual([true, true, false]);
});

test("a session that is settled stays so when it is written anew with answers on their way", () => {
  const state = applied([answer, { type: "settled", session: "S" }]);
  expect([...reread(state).followed]).toEqual([]);
});

test("a preview waits for its answer, also when the session is settled before that is sent", () => {
  const preview: OutboxRecord = {
    type: "preview",
    session: "S",
    place: asked.place,
    state: "sent",
    as: "p1",
  };
  const state = applied([preview, answer, { type: "settled", session: "S" }]);
  expect(state.previews.get("S")?.as).toBe("p1");
  state.apply({ type: "adopt", id: "A", session: "S" });
  expect([state.answers.get("A")?.parts[0]?.edits, state.previews.size]).toEqual(["p1", 0]);
  expect(applied([preview, { type: "settled", session: "S" }]).previews.size).toBe(0);
});

test("an answer is there once, and gone when all of it is settled", () => {
  const sent = (index: number): OutboxRecord => ({ type: "part", id: "A", index, state: "sent" });
  const state = applied([answer, answer, sent(0)]);
  expect(state.count("unsent")).toBe(1);
  state.apply(sent(1));
  state.apply(answer);
  expect([state.count("unsent"), state.answers.size, state.has("A")]).toEqual([0, 0, true]);
});

test("what went wrong is shown for a week", () => {
  let now = 1;
  const state = applied([answer, { type: "part", id: "A", index: 0, state: "refused" }], () => now);
  expect(state.count("refused")).toBe(1);
  now += 7 * DAY;
  expect(state.count("refused")).toBe(1);
  now += 1;
  expect(state.count("refused")).toBe(0);
});

test.each([
  null,
  { type: "answer", id: "A", at: 1, asked, parts: [{}] },
  { type: "answer", id: "A", at: 1, asked: { place: {} }, parts: [] },
  { type: "part", id: "A", index: 0, state: "lost" },
  { type: "follow", session: "S" },
  { type: "preview", session: "S", place: asked.place, state: "pending" },
  { type: "else", id: "A" },
])("%j is no record", (value) => {
  expect(readOutboxRecord(value)).toBeUndefined();
});

test("what went wrong is counted once and keeps its time, however often it is written anew and read again", () => {
  let state = applied(
    [answer, { type: "part", id: "A", index: 0, state: "unknown", why: "lost", at: 1 }],
    () => 1,
  );
  for (const now of [2, 3, 1 + 7 * DAY]) {
    state = reread(state, () => now);
    expect([now, state.count("unknown"), state.count("unsent")]).toEqual([now, 1, 1]);
  }
  expect(reread(state, () => 2 + 7 * DAY).count("unknown")).toBe(0);
});

test("a part that was split stays so, under its own keys, also in a snapshot", () => {
  const split: OutboxRecord = { type: "split", id: "A", index: 0, parts: [{ native: "x" }, { native: "y" }] };
  const state = applied([answer, split, { type: "part", id: "A", index: 0, state: "sent" }]);
  const shape = (some: OutboxState) =>
    some.answers.get("A")?.parts.map(({ key, outgoing, state }) => [key, outgoing.native, state]);
  const [, second] = answer.parts;
  const expected = [
    ["0.0", "x", "sent"],
    ["0.1", "y", "pending"],
    ["1", second?.native, "pending"],
  ];
  expect(shape(state)).toEqual(expected);
  expect(shape(reread(state))).toEqual(expected);
});
