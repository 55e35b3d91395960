import { emptyUsage, type UserMessage } from "dragoman/core";
import { expect, test } from "vitest";
import { namesIn, withSenderName } from "./sender-names.js";

const info = {
  sessionKey: "s",
  id: "child",
  agent: "scout",
  counts: { user: 0, assistant: 0, toolResult: 0, lines: 0, bad: 0 },
  usage: emptyUsage(),
  unknownPrices: false,
  models: [],
  archived: false,
  foreign: false,
};
const task: UserMessage = { role: "user", content: "Look.", timestamp: 1, sender: "parent" };

test("the session that gave the task is called by the name of its agent, and the agent by its own", () => {
  const child = { ...info, parent: { session: "parent", toolCallId: "c1" } };
  const names = namesIn(child, { id: "parent", agent: "main" });
  expect(names).toEqual({ agent: "scout", starter: { id: "parent", name: "main" } });
  expect(withSenderName(task, names)).toEqual({ ...task, sender: "main" });
});

test("the usual agent needs no name, and what is said by others stays as it is", () => {
  const names = namesIn({ ...info, agent: "main" }, undefined);
  expect(names).toEqual({});
  expect(withSenderName(task, names)).toBe(task);
});
