import { expect, test } from "vitest";
import type { AgentEventLine } from "../types.js";
import { AnswerProgress } from "./answer-progress.js";

const start: AgentEventLine = { type: "message_start", message: { role: "assistant", id: "m1" } };
const another: AgentEventLine = { type: "message_start", message: { role: "assistant", id: "m2" } };
const end: AgentEventLine = { type: "message_end", message: { role: "assistant", id: "m1" } };
const text = (delta: string, contentIndex = 0): AgentEventLine => ({
  type: "message_update",
  assistantMessageEvent: { type: "text_delta", contentIndex, delta },
});
const block = (type: "text_start" | "text_end", contentIndex = 0): AgentEventLine => ({
  type: "message_update",
  assistantMessageEvent: { type, contentIndex },
});

function accepted(progress: AnswerProgress, steps: readonly AgentEventLine[]): AgentEventLine[] {
  return steps.flatMap((step) => progress.accept(step) ?? []);
}

test("what is not repeated passes as it is", () => {
  const steps = [
    start,
    block("text_start"),
    text("ab"),
    text("c"),
    block("text_end"),
    end,
    another,
    text("ab"),
  ];
  expect(accepted(new AnswerProgress(), steps)).toEqual(steps);
});

test("of steps that begin again, however they are cut, only what is new passes", () => {
  const progress = new AnswerProgress();
  accepted(progress, [
    start,
    block("text_start"),
    text("ab"),
    block("text_end"),
    block("text_start", 1),
    text("cd", 1),
  ]);
  progress.repeat();
  expect(
    accepted(progress, [
      start,
      block("text_start"),
      text("ab"),
      block("text_end"),
      block("text_start", 1),
      text("cdef", 1),
    ]),
  ).toEqual([text("ef", 1)]);
  expect(accepted(progress, [text("g", 1), block("text_end", 1)])).toEqual([
    text("g", 1),
    block("text_end", 1),
  ]);
  progress.repeat();
  expect(
    accepted(progress, [start, text("a"), text("b"), text("cdef", 1), text("g", 1), text("h", 1)]),
  ).toEqual([text("h", 1)]);
});

test("the next answer is new, whatever the last one had", () => {
  const progress = new AnswerProgress();
  accepted(progress, [start, text("ab")]);
  progress.repeat();
  expect(accepted(progress, [end, another, text("ab")])).toEqual([end, another, text("ab")]);
  progress.reset();
  progress.repeat();
  expect(accepted(progress, [another, text("ab")])).toEqual([another, text("ab")]);
});

test("steps of an answer that the reader has in full do not pass", () => {
  const progress = new AnswerProgress();
  accepted(progress, [start, text("ab")]);
  progress.complete("m1");
  // Another server has not come as far: it continues the answer, or begins it again.
  expect(accepted(progress, [text("c"), block("text_end")])).toEqual([]);
  progress.repeat();
  const steps = [another, text("de")];
  const again = [start, text("abc"), block("text_end"), end, ...steps];
  expect(accepted(progress, again)).toEqual(steps);
  // It has only just learned of the run.
  progress.complete("m2");
  const begun: AgentEventLine = { type: "agent_start" };
  expect(accepted(progress, [begun, ...again])).toEqual([begun]);
});

test("an answer that the reader has in full is skipped before the one that it has in part", () => {
  const progress = new AnswerProgress();
  progress.complete("m1");
  accepted(progress, [another, text("de")]);
  progress.repeat();
  expect(accepted(progress, [start, text("abc"), end, another, text("def")])).toEqual([text("f")]);
});

test("an answer that begins again by itself is a repetition, too", () => {
  const progress = new AnswerProgress();
  accepted(progress, [start, block("text_start"), text("one ")]);
  expect(accepted(progress, [start, block("text_start"), text("one two"), text(" three"), end])).toEqual([
    text("two"),
    text(" three"),
    end,
  ]);
  expect(accepted(progress, [another, text("one ")])).toEqual([another, text("one ")]);
});

test("a repetition may begin with the end of the answer before", () => {
  const progress = new AnswerProgress();
  accepted(progress, [start, text("abc"), end, another, text("de")]);
  progress.repeat();
  expect(accepted(progress, [end, { type: "turn_start" }, another, text("def")])).toEqual([
    { type: "turn_start" },
    text("f"),
  ]);
});
