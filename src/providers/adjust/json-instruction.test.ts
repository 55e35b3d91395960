import { expect, test } from "vitest";
import type { ApiName } from "../../dialects/registry.js";
import { connect } from "../connect.js";

const INSTRUCTION = "Respond with a single JSON object and no other text.";

async function previewed(api: ApiName, content: string, systemPrompt?: string) {
  const model = connect("acme/m", { api, baseUrl: "http://127.0.0.1:1" });
  const messages = [{ role: "user" as const, content, timestamp: 1 }];
  return model.preview(
    { messages, ...(systemPrompt === undefined ? {} : { systemPrompt }) },
    { output: "json", cache: false },
  );
}

const asked = {
  at: "/options/output",
  what: "JSON output",
  why: "this API enforces JSON only with a schema; the system prompt asks for it instead",
  severity: "approximated",
};
const added = {
  at: "/options/output",
  what: "an instruction to write JSON",
  why: "this API requires that a message mentions JSON; an instruction is added",
  severity: "synthesised",
};

test("Anthropic is asked for JSON in the prompt", async () => {
  const { request, losses } = await previewed("anthropic", "Oslo", "Be brief.");
  expect(request["system"]).toBe(`Be brief.\n\n${INSTRUCTION}`);
  expect(request["output_config"]).toBeUndefined();
  expect(losses).toEqual([asked]);
});

test("so is Bedrock", async () => {
  const { request, losses } = await previewed("bedrock", "Oslo");
  expect(request["system"]).toEqual([{ text: INSTRUCTION }]);
  expect(losses).toEqual([asked]);
});

test("Chat Completions require the word in the messages, the prompt included", async () => {
  const { request, losses } = await previewed("openai-chat", "Oslo", "Be brief.");
  expect(request).toMatchObject({
    response_format: { type: "json_object" },
    messages: [
      { role: "system", content: `Be brief.\n\n${INSTRUCTION}` },
      { role: "user", content: "Oslo" },
    ],
  });
  expect(losses).toEqual([added]);
});

test("Responses require it in the input", async () => {
  const { request, losses } = await previewed("openai-responses", "Oslo", "Write JSON.");
  expect(request).toMatchObject({
    instructions: "Write JSON.",
    text: { format: { type: "json_object" } },
    input: [
      { role: "system", content: INSTRUCTION },
      { role: "user", content: [{ type: "input_text", text: "Oslo" }] },
    ],
  });
  expect(losses).toEqual([added]);
});

test.each([
  ["openai-chat", "Oslo as JSON", undefined],
  ["openai-chat", "Oslo", "Write json."],
  ["openai-responses", "Oslo as JSON", undefined],
  ["google", "Oslo", undefined],
  ["ollama", "Oslo", undefined],
] as const)("nothing is added where nothing is missing: %s, %j, %j", async (api, text, prompt) => {
  const { request, losses } = await previewed(api, text, prompt);
  expect(JSON.stringify(request)).not.toContain(INSTRUCTION);
  expect(losses).toEqual([]);
});
