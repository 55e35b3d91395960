import { type AssistantMessage, emptyUsage } from "dragoman/core";
import { expect, test } from "vitest";
import { withAdded } from "./foreign-session.js";

const answer = (...texts: string[]): AssistantMessage => ({
  role: "assistant",
  content: texts.map((text) => ({ type: "text", text })),
  ...{ api: "messages", provider: "p", model: "m", usage: emptyUsage(), stopReason: "stop", timestamp: 1 },
});

test("a message that continues the last one completes it; others follow", () => {
  const first = withAdded([], [{ message: answer("One"), continues: false }]);
  expect(withAdded(first, [{ message: answer("two"), continues: true }])).toEqual([answer("One", "two")]);
  expect(withAdded(first, [{ message: answer("two"), continues: false }])).toEqual([
    answer("One"),
    answer("two"),
  ]);
});
