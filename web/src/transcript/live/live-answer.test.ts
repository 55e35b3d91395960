import { expect, test } from "vitest";
import { LiveAnswer } from "./live-answer.js";

/** An answer whose frames come when the test says so. */
function liveAnswer() {
  let queued: (() => void)[] = [];
  const live = new LiveAnswer({ schedule: (work) => queued.push(work) });
  return {
    live,
    push: (kind: "text" | "thinking" | "toolcall", contentIndex: number, delta: string) =>
      live.push({ type: `${kind}_delta`, contentIndex, delta }),
    frame() {
      const work = queued;
      queued = [];
      for (const each of work) each();
      return work.length;
    },
  };
}

const shape = (live: LiveAnswer) =>
  live.snapshot().map((part) => {
    if (part.type === "piece") return part.piece.text.length;
    return part.type === "call" ? `call ${part.block.name}` : part.block.type;
  });

test("many deltas are told once a frame; the list hears only of other parts", () => {
  const { live, push, frame } = liveAnswer();
  let list = 0;
  let block = 0;
  live.subscribe(() => list++);
  push("text", 0, "Hel");
  expect(frame()).toBe(1);
  const [part] = live.snapshot();
  if (part?.type !== "open") throw new Error("the text is open");
  part.block.subscribe(() => block++);
  push("text", 0, "lo");
  push("text", 0, " there");
  expect(frame()).toBe(1);
  expect([list, block]).toEqual([1, 1]);
  expect(live.snapshot()[0]).toBe(part);
  expect(part.block.splitter.tail).toBe("Hello there");
});

test("a finished piece becomes a part that stays", () => {
  const { live, push, frame } = liveAnswer();
  push("text", 0, `${"a".repeat(4_100)}\n\nmore\n`);
  frame();
  expect(shape(live)).toEqual([4_102, "text"]);
  const [piece] = live.snapshot();
  push("text", 0, `\n${"b".repeat(4_100)}\n\nand more\n`);
  frame();
  expect(shape(live)).toEqual([4_102, 4_108, "text"]);
  expect(live.snapshot()[0]?.key).toBe(piece?.key);
});

test("arguments fill in, also when the call is named later", () => {
  const { live, push, frame } = liveAnswer();
  push("toolcall", 0, '{"path":"a');
  live.push({ type: "toolcall_start", contentIndex: 0, id: "c", name: "read" });
  frame();
  expect(shape(live)).toEqual(["call read"]);
  const [part] = live.snapshot();
  if (part?.type !== "call") throw new Error("it is a call");
  expect(part.block.arguments.value).toEqual({ path: "a" });
  push("toolcall", 0, '.ts"}');
  expect(part.block.arguments.value).toEqual({ path: "a.ts" });
});

test("thinking ends when something else begins", () => {
  const { live, push, frame } = liveAnswer();
  push("thinking", 0, "Hm");
  push("text", 1, "So");
  frame();
  expect(shape(live)).toEqual(["thinking", "text"]);
  const [thinking] = live.snapshot();
  if (thinking?.type !== "open") throw new Error("it is open");
  expect(thinking.block.hasEnded).toBe(true);
});
