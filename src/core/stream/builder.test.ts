import { expect, test } from "vitest";
import { emptyUsage } from "../message/usage.js";
import { AnswerBuilder, answerHeader } from "./builder.js";

function builder(): AnswerBuilder {
  const origin = { provider: "p", model: "m", timestamp: 1, priceKnown: true, price: emptyUsage };
  return new AnswerBuilder(answerHeader(origin, "a"));
}

test("a call's arguments can be looked at while they come, and are plain data when they are whole", () => {
  const answer = builder();
  const index = answer.open({ type: "toolCall", id: "c", name: "read", arguments: {} });
  answer.delta(index, '{"path":"a.');
  const [call] = answer.message.content;
  expect(call).toMatchObject({ arguments: { path: "a." } });
  answer.delta(index, 'ts"}');
  answer.close(index);
  expect(answer.message.content).toEqual([call]);
  expect(JSON.stringify(call)).toBe('{"type":"toolCall","id":"c","name":"read","arguments":{"path":"a.ts"}}');
  expect(Object.getOwnPropertyDescriptor(call, "arguments")).toEqual({
    value: { path: "a.ts" },
    writable: true,
    enumerable: true,
    configurable: true,
  });
});

test("events are handed out once, in order", () => {
  const answer = builder();
  const index = answer.open({ type: "text", text: "" });
  answer.delta(index, "a");
  expect(answer.drain().map(({ type }) => type)).toEqual(["start", "text_start", "text_delta"]);
  expect(answer.drain()).toEqual([]);
  answer.delta(index, "b");
  expect(answer.drain()).toEqual([
    { type: "text_delta", contentIndex: 0, delta: "b", partial: answer.message },
  ]);
});
