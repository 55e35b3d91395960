import { expect, test } from "vitest";
import { refusalsOf } from "./openai-finetune.js";

const user = { role: "user", content: "hi" };
const answer = { role: "assistant", content: "hello" };
const call = { id: "c1", type: "function", function: { name: "read", arguments: "{}" } };

test.each<[string, object, string[]]>([
  ["an example", { messages: [user, answer] }, []],
  ["a call at the end", { messages: [user, { role: "assistant", tool_calls: [call] }] }, []],
  ["no messages", { messages: [] }, ["line 1: no messages"]],
  [
    "a question at the end",
    { messages: [answer, user] },
    ["line 1: the last message is not from the assistant"],
  ],
  ["no answer to learn", { messages: [user, { ...answer, weight: 0 }] }, ["line 1: no answer has a weight"]],
  [
    "half a weight",
    { messages: [user, { ...answer, weight: 0.5 }] },
    ["line 1: message 1: weight must be 0 or 1"],
  ],
  [
    "an unknown role",
    { messages: [{ role: "narrator", content: "x" }, answer] },
    ['line 1: message 0: unknown role "narrator"'],
  ],
  ["an unknown field", { messages: [user, answer], model: "x" }, ['line 1: contains an extra "model"']],
  [
    "a call without a result",
    { messages: [{ role: "assistant", tool_calls: [call] }, answer] },
    ["line 1: a call without a result"],
  ],
  [
    "a result without a call",
    { messages: [user, { role: "tool", tool_call_id: "c1", content: "x" }, answer] },
    ["line 1: a result without a call before it"],
  ],
  [
    "a result in parts",
    {
      messages: [
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "x" }] },
        answer,
      ],
    },
    ["line 1: message 1: content: input should be a valid string"],
  ],
])("%s", (_, example, expected) => {
  expect(refusalsOf(`${JSON.stringify(example)}\n`)).toEqual(expected);
});
