import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json/value.js";
import { type ApiName, loadApi } from "../../dialects/registry.js";
import { placeMessages, requestReader } from "./message-places.js";

/** Where the client's request has each message that the model is sent. */
async function places(name: ApiName, list: string, body: JsonObject, before = 0): Promise<string[]> {
  const read = requestReader(await loadApi(name), "m");
  const sent = before + read(body).context.messages.length;
  const losses = Array.from({ length: sent }, (_, index) => ({
    at: `/messages/${index}/content/0`,
    what: "x",
    why: "y",
    severity: "dropped" as const,
  }));
  return placeMessages({ body, list, read, sent }, losses).map(({ at }) => at);
}

test("leading system messages are the prompt", async () => {
  const messages = [
    { role: "system", content: "a" },
    { role: "user", content: "b" },
    { role: "system", content: "c" },
    { role: "user", content: "d" },
  ];
  expect(await places("openai-chat", "messages", { messages })).toEqual([
    "/messages/1",
    "/messages/2",
    "/messages/3",
  ]);
});

test("items that are one message, and items that are none", async () => {
  const input = [
    { type: "additional_tools", role: "developer", tools: [] },
    { role: "user", content: "a" },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
    { role: "assistant", content: "b" },
    { role: "user", content: "c" },
  ];
  expect(await places("openai-responses", "input", { input })).toEqual(["/input/1", "/input/2", "/input/4"]);
});

test("an entry that is several messages", async () => {
  const results = ["1", "2"].map((id) => ({ type: "tool_result", tool_use_id: id, content: "r" }));
  const messages = [
    { role: "user", content: "a" },
    {
      role: "assistant",
      content: ["1", "2"].map((id) => ({ type: "tool_use", id, name: "t", input: {} })),
    },
    { role: "user", content: [...results, { type: "text", text: "b" }] },
  ];
  expect(await places("anthropic", "messages", { max_tokens: 9, messages })).toEqual([
    "/messages/0",
    "/messages/1",
    "/messages/2",
    "/messages/2",
    "/messages/2",
  ]);
});

test.each([
  [{ previous_response_id: "resp_1" }, "/previous_response_id"],
  [{ conversation: "conv_1" }, "/conversation"],
])("stored messages are where the request refers to them: %j", async (reference, place) => {
  const found = await places("openai-responses", "input", { input: "a", ...reference }, 2);
  expect(found).toEqual([place, place, "/input"]);
});

test("Gemini's messages are its contents", async () => {
  const contents = [{ role: "user", parts: [{ text: "a" }] }];
  expect(await places("google", "contents", { contents })).toEqual(["/contents/0"]);
});
