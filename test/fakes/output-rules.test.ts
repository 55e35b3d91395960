import { expect, test } from "vitest";
import { models } from "./model-server.js";

const messages = [{ role: "user", content: "Oslo" }];
const open = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const claude = { model: "m", max_tokens: 9, messages };
const gemini = { contents: [{ role: "user", parts: [{ text: "Oslo" }] }] };
const schemaOf = (schema: object) => ({ output_config: { format: { type: "json_schema", schema } } });

test.each([
  [
    "openai-chat",
    { model: "m", messages, response_format: { type: "json_object" } },
    "'messages' must contain the word 'json' in some form, to use a format of type 'json_object'.",
  ],
  [
    "openai-responses",
    { model: "m", input: "Oslo", instructions: "JSON!", text: { format: { type: "json_object" } } },
    "'input' must contain the word 'json' in some form, to use a format of type 'json_object'.",
  ],
  [
    "openai-chat",
    { model: "m", messages, response_format: { type: "json_schema", json_schema: { schema: open } } },
    "Missing required parameter: 'name' of the schema.",
  ],
  [
    "anthropic",
    { ...claude, ...schemaOf(open) },
    "For 'object' type, 'additionalProperties' must be explicitly set to false",
  ],
  [
    "anthropic",
    { ...claude, ...schemaOf({ anyOf: [{ type: "integer", minimum: 1 }] }) },
    "output_config.format.schema: property 'minimum' is not supported",
  ],
  [
    "google",
    { ...gemini, generationConfig: { responseJsonSchema: open } },
    "* GenerateContentRequest.generation_config.response_schema: only allowed with response mime type application/json",
  ],
] as const)("%s refuses an output that its API refuses", (api, body, refusal) => {
  expect(models[api].refusal(body)).toBe(refusal);
});
