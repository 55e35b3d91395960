import { describe, expect, test } from "vitest";
import { validateRequest } from "./openai-responses.js";

const ask = (...input: object[]) => ({ model: "gpt-5.5", store: false, input });
const user = { role: "user", content: "Hi" };
const call = { type: "function_call", call_id: "c1", name: "read", arguments: "{}" };
const output = { type: "function_call_output", call_id: "c1", output: "ok" };
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
const answer = {
  type: "message",
  role: "assistant",
  id: "msg_1",
  status: "completed",
  content: [{ type: "output_text", text: "Hello", annotations: [] }],
};

describe("the fake of the Responses API", () => {
  test.each<[string, unknown]>([
    ["a text", { model: "gpt-5.5", input: "Hi" }],
    ["a tool loop", ask(user, reasoning, call, output, answer, user)],
    [
      "an image in a result",
      ask(user, call, {
        ...output,
        output: [{ type: "input_image", image_url: "data:image/png;base64,AA==" }],
      }),
    ],
    ["a stored prompt", { prompt: { id: "pmpt_1" } }],
  ])("takes %s", (_, body) => expect(validateRequest(body)).toBeUndefined());

  test.each<[string, unknown, string]>([
    ["what is no object", [], "We could not parse the JSON body of your request."],
    ["an unknown field", { model: "m", input: "Hi", messages: [] }, "Unknown parameter: 'messages'."],
    ["no model", { input: "Hi" }, "Missing required parameter: 'model'."],
    [
      "no input",
      ask(),
      'One of "input" or "previous_response_id" or "prompt" or "conversation_id" must be provided.',
    ],
    [
      "too few tokens",
      { ...ask(user), max_output_tokens: 8 },
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 8 instead.",
    ],
    ["a call without a result", ask(user, call), "No tool output found for function call c1."],
    [
      "a result without a call",
      ask(user, output),
      "No tool call found for function call output with call_id c1.",
    ],
    [
      "an empty id",
      ask(user, { ...call, call_id: "" }),
      "Invalid 'input[1].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    ],
    [
      "a long id",
      ask(user, { ...call, call_id: "c".repeat(65) }),
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    ],
    [
      "an item id of another kind",
      ask(user, { ...call, id: "call_1" }),
      "Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.",
    ],
    [
      "a name with a dot",
      ask(user, { ...call, name: "a.b" }),
      "Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      "the same item twice",
      ask(user, answer, answer),
      "Duplicate item found with id msg_1. Remove duplicate items from your input and try again.",
    ],
    [
      "reasoning that is not there",
      ask(user, { ...reasoning, encrypted_content: null }, answer),
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
    ],
    [
      "reasoning that nothing follows",
      ask(user, reasoning, user),
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ],
    [
      "a part of a user in an answer",
      ask({ role: "assistant", content: [{ type: "input_text", text: "x" }] }),
      "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    ],
    [
      "an image that is none",
      ask({ role: "user", content: [{ type: "input_image", image_url: "iVBORw0KGgo=" }] }),
      "Invalid 'input[0].content[0].image_url'. Expected a valid URL, but got a value with an invalid format.",
    ],
    [
      "a message of nothing",
      ask({ role: "user", content: [] }),
      "Invalid 'input[0].content': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    [
      "a choice of a tool that is not there",
      { ...ask(user), tools: [], tool_choice: { type: "function", name: "x" } },
      "Tool choice 'function' not found in 'tools' parameter.",
    ],
    [
      "a role of its own",
      ask({ role: "tool", content: "x" }),
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    ],
  ])("refuses %s", (_, body, message) => expect(validateRequest(body)).toBe(message));
});
