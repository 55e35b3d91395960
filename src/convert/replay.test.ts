import { expect, test } from "vitest";
import type { Dialect } from "../core/dialect.js";
import type { Loss } from "../core/types.js";
import { openclaw } from "../dialects/openclaw/index.js";
import { type Beat, replay } from "./replay.js";

const user = (content: string, timestamp?: number) => ({
  role: "user",
  content,
  ...(timestamp === undefined ? {} : { timestamp }),
});

async function replayed(records: object[], to: Dialect, speed = 1): Promise<(Beat | Loss)[]> {
  const bytes = new TextEncoder().encode(records.map((record) => JSON.stringify(record)).join("\n"));
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  };
  const seen: (Beat | Loss)[] = [];
  const onLoss = (loss: Loss) => seen.push(loss);
  for await (const beat of replay(open, { from: openclaw, to, speed, onLoss })) seen.push(beat);
  return seen;
}

const T = 1740000000000;

test("each record waits for the next", async () => {
  const records = [user("a", T), user("b", T + 1500), user("c", T + 1500)];
  expect(await replayed(records, openclaw)).toEqual([
    { text: '{"role":"user","content":"a","timestamp":1740000000000}\n', afterMs: 1500 },
    { text: '{"role":"user","content":"b","timestamp":1740000001500}\n', afterMs: 0 },
    { text: '{"role":"user","content":"c","timestamp":1740000001500}\n', afterMs: 0 },
  ]);
});

const pauses = async (records: object[], speed?: number) =>
  (await replayed(records, openclaw, speed)).flatMap((beat) => ("afterMs" in beat ? [beat.afterMs] : []));

test("a night is five seconds, a clock that goes back is no pause, no timestamp means at once", async () => {
  const records = [user("a", T), user("b", T + 3e7), user("c", T), user("d"), user("e", T + 1000)];
  expect(await pauses(records)).toEqual([5000, 0, 0, 0, 0]);
});

test("the speed divides every pause, the longest too", async () => {
  const records = [user("a", T), user("b", T + 1000), user("c", T + 3e7)];
  expect(await pauses(records, 4)).toEqual([250, 1250, 0]);
  expect(await pauses(records, 0.5)).toEqual([2000, 10000, 0]);
  expect(await pauses(records, Number.POSITIVE_INFINITY)).toEqual([0, 0, 0]);
});

test("a dialect that streams spreads the frames of a record over the time until the next", async () => {
  const live: Dialect = {
    ...openclaw,
    name: "live",
    live: (record, cut) => [
      ...[...cut(String(record["content"]))].map((delta) => ({ delta })),
      { final: record["content"] },
    ],
  };
  expect(await replayed([user("one two  three", T), user("x", T + 800)], live)).toEqual([
    { text: '{"delta":"one "}\n', afterMs: 200 },
    { text: '{"delta":"two  "}\n', afterMs: 200 },
    { text: '{"delta":"three"}\n', afterMs: 200 },
    { text: '{"final":"one two  three"}\n', afterMs: 200 },
    { text: '{"delta":"x"}\n', afterMs: 0 },
    { text: '{"final":"x"}\n', afterMs: 0 },
  ]);
});

test("a target without branches is given the active one, and the rest is told", async () => {
  const linear: Dialect = { ...openclaw, name: "linear", branches: false };
  const records = [
    { ...user("a", T), id: "1", parentId: null },
    { ...user("b", T), id: "2", parentId: "1" },
    { ...user("c", T), id: "3", parentId: "1" },
  ];
  expect(await replayed(records, linear)).toEqual([
    {
      at: "/1",
      what: "the user message",
      why: "it is on another branch",
      severity: "dropped",
      of: "message",
    },
    {
      text: '{"role":"user","content":"a","timestamp":1740000000000,"id":"1","parentId":null}\n',
      afterMs: 0,
    },
    { text: '{"role":"user","content":"c","timestamp":1740000000000,"id":"3","parentId":"1"}\n', afterMs: 0 },
  ]);
});
