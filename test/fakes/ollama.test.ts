import { expect, test } from "vitest";
import { validateGenerate, validateRequest } from "./ollama.js";

const asked = { role: "user", content: "Hi" };

test.each([
  [{ model: "qwen3:8b" }],
  [{ model: "qwen3:8b", messages: [], keep_alive: 0 }],
  [{ model: "qwen3:8b", messages: [asked], stream: true, think: true, format: "json", unknown: 1 }],
  [{ model: "gpt-oss:20b", messages: [asked], think: "high", options: { num_predict: 5, temperature: 0.5 } }],
  [{ model: "gemma3", messages: [{ ...asked, images: ["AAECAwQ="] }] }],
  [
    {
      model: "qwen3",
      messages: [
        { role: "assistant", tool_calls: [{ function: { name: "f", arguments: {} } }] },
        { role: "tool", tool_name: "f", content: "x" },
      ],
      tools: [{ type: "function", function: { name: "f", description: "", parameters: {} } }],
    },
  ],
])("takes %j", (body) => {
  expect(validateRequest(body)).toBeUndefined();
});

test.each([
  ["Hi", "invalid request: expected an object"],
  [{ messages: [asked] }, "json: cannot unmarshal model: expected string"],
  [{ model: "" }, "model is required"],
  [{ model: "m", stream: "yes" }, "json: cannot unmarshal stream: expected bool"],
  [{ model: "m", keep_alive: {} }, "json: cannot unmarshal keep_alive: expected Duration"],
  [{ model: "m", messages: "Hi" }, "json: cannot unmarshal messages: expected list"],
  [{ model: "m", messages: ["Hi"] }, "json: cannot unmarshal messages: expected object"],
  [{ model: "m", messages: [{ role: "toolResult", content: "" }] }, "invalid role: toolResult"],
  [
    { model: "m", messages: [{ role: "user", content: [{ type: "text" }] }] },
    "json: cannot unmarshal messages.content: expected string",
  ],
  [
    { model: "m", messages: [{ ...asked, images: ["https://example.com/a.png"] }] },
    "illegal base64 data in messages.images",
  ],
  [
    { model: "m", messages: [{ ...asked, images: "AAEC" }] },
    "json: cannot unmarshal messages.images: expected []ImageData",
  ],
  [
    {
      model: "m",
      messages: [{ role: "assistant", tool_calls: [{ function: { name: "f", arguments: "{}" } }] }],
    },
    "json: cannot unmarshal messages.tool_calls.function.arguments: expected map",
  ],
  [{ model: "m", tools: [{ type: "custom" }] }, "unsupported tool type: custom"],
  [{ model: "m", tools: [{ type: "function", function: { name: "" } }] }, "a tool needs a name"],
  [{ model: "m", think: "max" }, 'invalid think value: "max"'],
  [{ model: "qwen3", think: "low" }, 'think value "low" is not supported for this model'],
  [{ model: "m", format: "xml" }, 'invalid format: "xml"; expected "json" or a JSON schema'],
  [{ model: "m", options: { num_predict: "5" } }, 'option "num_predict" must be of type integer'],
  [{ model: "m", options: { num_ctx: 1.5 } }, 'option "num_ctx" must be of type integer'],
  [{ model: "m", options: { temperature: "hot" } }, 'option "temperature" must be of type float32'],
])("refuses %j", (body, message) => {
  expect(validateRequest(body)).toBe(message);
});

test.each([
  [{ model: "m" }, undefined],
  [{ model: "m", prompt: "Hi", suffix: "!", context: [1], images: ["AAECAwQ="] }, undefined],
  [{ model: "m", prompt: "Hi", raw: true }, undefined],
  [{ model: "m", prompt: ["Hi"] }, "json: cannot unmarshal prompt: expected string"],
  [{ model: "m", context: ["a"] }, "json: cannot unmarshal context: expected []int"],
  [{ model: "m", raw: true, system: "x" }, "raw mode does not support template, system, or context"],
  [{ model: "m", options: 1 }, "json: cannot unmarshal options: expected map"],
])("of a prompt: %j", (body, refusal) => {
  expect(validateGenerate(body)).toBe(refusal);
});
