import { expect, test } from "vitest";
import { detect } from "./detect.js";

const user = { role: "user", content: "hi" };

test.each<[string, unknown, number]>([
  ["an answer", { object: "chat.completion", choices: [] }, 0.97],
  ["a chunk", { object: "chat.completion.chunk", choices: [] }, 0.97],
  ["a field of its own", { model: "m", messages: [user], stream_options: {} }, 0.95],
  ["a result", { model: "m", messages: [user, { role: "tool", tool_call_id: "a", content: "" }] }, 0.95],
  ["a part of its own", { messages: [{ role: "user", content: [{ type: "image_url" }] }] }, 0.95],
  ["a system prompt among the messages", { model: "m", messages: [{ role: "system", content: "" }] }, 0.55],
  ["just a question", { model: "m", messages: [user] }, 0.5],
  ["just messages", { messages: [user] }, 0.2],
  ["Anthropic's system prompt", { model: "m", system: "x", messages: [user] }, 0],
  [
    "Anthropic's calls",
    { model: "m", messages: [{ role: "assistant", content: [{ type: "tool_use" }] }] },
    0,
  ],
  [
    "Ollama's calls",
    { model: "m", messages: [{ role: "assistant", tool_calls: [{ function: { arguments: {} } }] }] },
    0,
  ],
  ["Ollama's images", { model: "m", messages: [{ ...user, images: ["AAAA"] }] }, 0],
  ["a Cline history", { version: 1, messages: [user] }, 0],
  ["a list", [user], 0],
])("%s", (_, document, confidence) => expect(detect(document)).toBe(confidence));
