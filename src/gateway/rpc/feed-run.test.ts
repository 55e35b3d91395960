import { expect, test } from "vitest";
import { answer } from "../../../test/fakes/scripted-model.js";
import { LiveState } from "../../runtime/live-state.js";
import { runUnderWay } from "./feed-run.js";

/** A conversation whose run has answered with a text, up to a number. */
function answering(text: string, seq: number) {
  const live = new LiveState();
  const message = answer([{ type: "text", text }], { id: "a1" });
  const delta = { type: "text_delta" as const, contentIndex: 0, delta: text, partial: message };
  live.apply({ type: "message_start", message: { ...message, content: [] } });
  live.apply({ type: "message_update", message, assistantMessageEvent: delta });
  return { live, seq, runId: "r1" };
}

test("a client that has any part of an answer is told that its text is repeated", () => {
  const run = runUnderWay(answering("Good morning", 50), 1);
  for (const seen of [20, 48, 49]) {
    expect(run?.tail.since(seen)).toMatchObject({
      seq: 1,
      records: [
        { fromSeq: 2, seq: 49, step: { type: "message_start" } },
        { seq: 50, step: { assistantMessageEvent: { delta: "Good morning" } } },
      ],
    });
  }
  expect(run?.tail.since(50)).toEqual({ seq: 50, records: [] });
});
