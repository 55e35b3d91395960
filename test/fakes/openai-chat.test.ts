import { expect, test } from "vitest";
import { validateRequest } from "./openai-chat.js";

const user = { role: "user", content: "hi" };
const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
const asked = { role: "assistant", content: null, tool_calls: [call] };
const answered = { role: "tool", tool_call_id: "c1", content: "ok" };
const ask = (...messages: unknown[]) => ({ model: "m", messages });
const withCall = (change: object) => ask(user, { ...asked, tool_calls: [{ ...call, ...change }] }, answered);
const part = (one: unknown) => ask({ role: "user", content: [one] });

test.each<[string, unknown]>([
  ["a question", ask(user)],
  ["a tool loop", { ...ask(user, asked, answered), tools: [{ type: "function", function: { name: "f" } }] }],
  ["an image", part({ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } })],
  ["a refusal", ask(user, { role: "assistant", content: null, refusal: "no" })],
  ["a stream", { ...ask(user), stream: true, stream_options: { include_usage: true } }],
])("%s is taken", (_, body) => expect(validateRequest(body)).toBeUndefined());

test.each<[string, unknown, string]>([
  ["no object", [], "could not parse"],
  ["no model", { messages: [user] }, "provide a model"],
  ["an unknown field", { ...ask(user), foo: 1 }, "Unrecognized request argument supplied: foo"],
  ["options of no stream", { ...ask(user), stream_options: {} }, "only allowed when 'stream'"],
  ["two limits", { ...ask(user), max_tokens: 1, max_completion_tokens: 1 }, "at the same time"],
  ["no limit", { ...ask(user), max_tokens: 0 }, "Invalid 'max_tokens'"],
  ["heat", { ...ask(user), temperature: 3 }, "Invalid 'temperature'"],
  ["an unknown effort", { ...ask(user), reasoning_effort: "huge" }, "Invalid value: 'huge'"],
  ["a choice of no tools", { ...ask(user), tool_choice: "auto" }, "only allowed when 'tools'"],
  ["a tool without a function", { ...ask(user), tools: [{}] }, "'tools[0].function'"],
  [
    "a tool with a bad name",
    { ...ask(user), tools: [{ type: "function", function: { name: "a b" } }] },
    ".name",
  ],
  ["no messages", ask(), "empty array"],
  ["an unknown role", ask({ role: "critic", content: "x" }), "Invalid value: 'critic'"],
  ["an unknown field of a message", ask({ ...user, mood: 1 }), "Unknown parameter: 'messages[0].mood'"],
  ["a name with spaces", ask({ ...user, name: "a b" }), "Invalid 'messages[0].name'"],
  ["thinking", ask(user, { role: "assistant", content: "x", reasoning_content: "y" }), "reasoning_content"],
  ["null content", ask({ role: "user", content: null }), "got null"],
  ["an empty answer", ask(user, { role: "assistant", content: null }), "got null"],
  ["an empty list of parts", ask({ role: "user", content: [] }), "'messages[0].content'"],
  ["no calls", ask(user, { ...asked, tool_calls: [] }), "tool_calls': empty array"],
  ["an empty id", withCall({ id: "" }), "id': empty string"],
  ["a long id", withCall({ id: "x".repeat(41) }), "maximum length 40"],
  ["arguments that are no text", withCall({ function: { name: "f", arguments: {} } }), "function.arguments"],
  ["a call without a result", ask(user, asked, user), "did not have response messages: c1"],
  ["a call without a result at the end", ask(user, asked), "did not have response messages: c1"],
  ["a result without a call", ask(user, answered), "must be a response"],
  ["a second result", ask(user, asked, answered, answered), "must be a response"],
  [
    "two calls with one id",
    ask(user, { ...asked, tool_calls: [call, call] }, answered),
    "Duplicate tool call ids",
  ],
  [
    "an image in a result",
    ask(user, asked, { ...answered, content: [{ type: "image_url" }] }),
    "Supported values are: text",
  ],
  ["an image that is none", part({ type: "image_url", image_url: { url: "cat.png" } }), "image_url.url"],
  [
    "audio of another kind",
    part({ type: "input_audio", input_audio: { data: "", format: "ogg" } }),
    "wav, mp3",
  ],
  ["a file by address", part({ type: "file", file: { file_data: "https://x" } }), "file_data"],
])("%s is refused", (_, body, message) => expect(validateRequest(body)).toContain(message));

test("a compatible server takes its own fields back", () => {
  const body = ask(user, { role: "assistant", content: "x", reasoning_content: "y" });
  expect(validateRequest(body, ["reasoning_content"])).toBeUndefined();
});
