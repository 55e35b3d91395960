import { expect, test } from "vitest";
import type { AgentMessage, AssistantMessage, ToolResultMessage, UserMessage } from "../types.js";
import { requestedOutput, withOutput } from "./requested-output.js";
import { emptyUsage } from "./usage.js";

const user: UserMessage = { role: "user", content: "x", timestamp: 1 };
const schema = { schema: { type: "object" }, name: "weather" };

function answer(rest: Partial<AssistantMessage>): AssistantMessage {
  const usage = emptyUsage();
  const fields = { api: "a", provider: "p", model: "m", usage, stopReason: "stop" as const, timestamp: 1 };
  return { role: "assistant", content: [{ type: "text", text: "x" }], ...fields, ...rest };
}

const calling = answer({
  content: [{ type: "toolCall", id: "c", name: "read", arguments: {} }],
  stopReason: "toolUse",
});
const result: ToolResultMessage = {
  role: "toolResult",
  toolCallId: "c",
  toolName: "read",
  content: [],
  isError: false,
  timestamp: 1,
};

test.each<[string, AgentMessage[], unknown]>([
  ["nothing is asked for", [user], undefined],
  ["the message asks for a schema", [withOutput(user, schema)], schema],
  ["its tools have run", [withOutput(user, "json"), calling, result], "json"],
  [
    "another message without a wish arrived meanwhile",
    [withOutput(user, "json"), calling, result, user],
    "json",
  ],
  ["another message has a wish of its own", [withOutput(user, "json"), withOutput(user, schema)], schema],
  ["it is answered", [withOutput(user, "json"), answer({}), user], undefined],
  [
    "its answer failed",
    [withOutput(user, "json"), { ...calling, stopReason: "error" }, result, user],
    undefined,
  ],
  ["what is stored is something else", [{ ...user, ext: { output: { schema: 1 } } }], undefined],
])("%s", (_, messages, expected) => expect(requestedOutput(messages)).toEqual(expected));

test("of joined messages the latest wish counts", () => {
  const collected = [withOutput(user, "json"), withOutput(user, schema), user].map(
    ({ content: _, ...rest }) => rest,
  );
  expect(requestedOutput([{ ...withOutput(user, "json"), ext: { output: "json", collected } }])).toEqual(
    schema,
  );
});
