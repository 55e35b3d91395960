import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import { LiveState } from "../../runtime/live-state.js";
import { stepsUpTo } from "./live-steps.js";

const origin = { provider: "p", model: "m", timestamp: 1, priceKnown: true, price: emptyUsage };

/** What is known of an answer after some of its events. */
function after(build: (builder: AnswerBuilder) => void): LiveState {
  const [live, builder] = [new LiveState(), new AnswerBuilder(answerHeader(origin, "a"))];
  builder.message.id = "m1";
  live.apply({ type: "message_start", message: { ...builder.message, content: [] } });
  build(builder);
  for (const event of builder.drain()) {
    if (!("contentIndex" in event)) continue;
    live.apply({ type: "message_update", message: event.partial, assistantMessageEvent: event });
  }
  return live;
}

const call = { type: "toolCall" as const, id: "c1", name: "read", arguments: {} };
const update = (assistantMessageEvent: object) => ({ type: "message_update", assistantMessageEvent });
const start = update({ type: "toolcall_start", contentIndex: 0, id: "c1", name: "read" });
const begun = { type: "message_start", message: { role: "assistant", id: "m1" } };

test("whoever comes in the middle of a call receives the text that its next delta continues", () => {
  const live = after((builder) => {
    const index = builder.open(call);
    builder.delta(index, '{ "pa');
    builder.delta(index, 'th": "a');
  });
  const text = update({ type: "toolcall_delta", contentIndex: 0, delta: '{ "path": "a' });
  expect(stepsUpTo(live)).toEqual([begun, start, text]);
});

test("a call that has come at once has the text of its arguments, one that has only begun has none", () => {
  const whole = after((builder) => builder.close(builder.open(call), '{"path":"a"}'));
  const text = update({ type: "toolcall_delta", contentIndex: 0, delta: '{"path":"a"}' });
  expect(stepsUpTo(whole)).toEqual([begun, start, text]);
  expect(stepsUpTo(after((builder) => builder.open(call)))).toEqual([begun, start]);
});
