import { describe, expect, test } from "vitest";
import type { Call, Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, Loss } from "../../core/types.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";

const answer = (content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 2,
});

const call: Call = {
  model: "gemini-2.5-flash",
  stream: true,
  options: {},
  context: {
    systemPrompt: "Be brief.",
    messages: [
      { role: "user", content: "Look", timestamp: 1 },
      { role: "user", content: [{ type: "text", text: "closely" }], timestamp: 1 },
      answer([
        { type: "toolCall", id: "a:1", name: "shot", arguments: { n: 1 } },
        { type: "toolCall", id: "a:2", name: "shot", arguments: { n: 2 } },
      ]),
      {
        role: "toolResult",
        toolCallId: "a:1",
        toolName: "shot",
        content: [
          { type: "text", text: "one" },
          { type: "image", data: "aWk=", mimeType: "image/png" },
          { type: "text", text: "two" },
        ],
        isError: false,
        timestamp: 3,
      },
      {
        role: "toolResult",
        toolCallId: "a:2",
        toolName: "shot",
        content: [{ type: "text", text: "broken" }],
        isError: true,
        timestamp: 3,
      },
      { role: "user", content: "Well?", timestamp: 4 },
    ],
  },
};

function write(changes: Partial<Call> = {}, flags: Flags = {}): { body: JsonObject; losses: Loss[] } {
  const losses: Loss[] = [];
  return { body: request({ ...call, ...changes }, flags, (loss) => losses.push(loss)), losses };
}

describe("contents", () => {
  test("sides take turns, and images stand behind their response", () => {
    expect(write().body).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "Look" }, { text: "closely" }] },
        {
          role: "model",
          parts: [
            { functionCall: { name: "shot", args: { n: 1 } } },
            { functionCall: { name: "shot", args: { n: 2 } } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "shot", response: { output: "one\ntwo" } } },
            { inlineData: { mimeType: "image/png", data: "aWk=" } },
            { functionResponse: { name: "shot", response: { error: "broken" } } },
            { text: "Well?" },
          ],
        },
      ],
    });
  });

  test("ids are said where they are wanted, but never made-up ones", () => {
    expect(JSON.stringify(write().body)).not.toContain("a:1");
    const { body } = write({}, { callIds: true });
    expect(JSON.stringify(body).match(/"id":"[^"]+"/g)).toEqual([
      '"id":"a:1"',
      '"id":"a:2"',
      '"id":"a:1"',
      '"id":"a:2"',
    ]);
    const made = answer([
      { type: "toolCall", id: "R_1", name: "f", arguments: {}, ext: { google: { noId: true } } },
    ]);
    const result = {
      role: "toolResult" as const,
      toolCallId: "R_1",
      toolName: "f",
      content: [],
      isError: false,
      timestamp: 1,
    };
    const context = { messages: [made, result] };
    expect(JSON.stringify(write({ context }, { callIds: true }).body)).not.toContain("R_1");
  });

  test("Gemini 3 is told which calls it did not make", () => {
    const parts = [
      {
        functionCall: { name: "shot", args: { n: 1 } },
        thoughtSignature: "skip_thought_signature_validator",
      },
      { functionCall: { name: "shot", args: { n: 2 } } },
    ];
    const { body } = write({ model: "gemini-3-pro-preview" });
    expect(body["contents"]).toContainEqual({ role: "model", parts });
    const signed = answer([
      { type: "toolCall", id: "1", name: "f", arguments: {}, thoughtSignature: "c2ln" },
    ]);
    const again = write({ model: "gemini-3-pro-preview", context: { messages: [signed] } });
    expect(again.body["contents"]).toEqual([
      { role: "model", parts: [{ functionCall: { name: "f", args: {} }, thoughtSignature: "c2ln" }] },
    ]);
  });
});

describe("tools", () => {
  const spec = {
    name: "f",
    description: "F",
    parameters: { type: "object", properties: { a: { const: "x" } }, additionalProperties: false },
  };
  const context = { messages: [], tools: [spec] };

  test("have a JSON Schema, or one that all models take", () => {
    expect(write({ context }).body["tools"]).toEqual([
      { functionDeclarations: [{ name: "f", description: "F", parametersJsonSchema: spec.parameters }] },
    ]);
    expect(write({ context }, { jsonSchema: false }).body["tools"]).toEqual([
      {
        functionDeclarations: [
          {
            name: "f",
            description: "F",
            parameters: { type: "object", properties: { a: { type: "string", enum: ["x"] } } },
          },
        ],
      },
    ]);
  });

  test("without parameters have no schema where an empty one is refused", () => {
    const tools = [{ ...spec, parameters: { type: "object", properties: {} } }];
    expect(write({ context: { messages: [], tools } }, { jsonSchema: false }).body["tools"]).toEqual([
      { functionDeclarations: [{ name: "f", description: "F" }] },
    ]);
  });

  test("stand before Google's own", () => {
    const options = { extra: { tools: [{ googleSearch: {} }], cachedContent: "c" } };
    expect(write({ context, options }).body).toEqual({
      contents: [],
      cachedContent: "c",
      tools: [
        { functionDeclarations: [{ name: "f", description: "F", parametersJsonSchema: spec.parameters }] },
        { googleSearch: {} },
      ],
    });
  });

  test.each<[Call["options"]["toolChoice"], object]>([
    ["auto", { mode: "AUTO" }],
    ["any", { mode: "ANY" }],
    ["none", { mode: "NONE" }],
    [{ name: "f" }, { mode: "ANY", allowedFunctionNames: ["f"] }],
  ])("the choice %s", (toolChoice, functionCallingConfig) => {
    const options = toolChoice === undefined ? {} : { toolChoice };
    expect(write({ options }).body["toolConfig"]).toEqual({ functionCallingConfig });
  });
});

describe("options", () => {
  test.each<[string, Call["options"]["thinking"], object]>([
    ["gemini-2.5-flash", "off", { thinkingBudget: 0 }],
    ["gemini-2.5-flash", "minimal", { includeThoughts: true, thinkingBudget: 512 }],
    ["gemini-2.5-pro", "high", { includeThoughts: true, thinkingBudget: 24_576 }],
    ["gemini-3-pro-preview", "high", { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-flash-latest", "medium", { includeThoughts: true, thinkingLevel: "MEDIUM" }],
    ["gemini-3-pro-preview", { budgetTokens: 100 }, { includeThoughts: true, thinkingBudget: 100 }],
    ["gemini-3.1-pro-preview", "off", { thinkingLevel: "LOW" }],
  ])("%s thinks %o", (model, thinking, thinkingConfig) => {
    const options = thinking === undefined ? {} : { thinking };
    expect(write({ model, options }).body["generationConfig"]).toEqual({ thinkingConfig });
  });

  test("a model that cannot stop thinking is a loss", () => {
    expect(write({ model: "gemini-3-pro-preview", options: { thinking: "off" } }).losses).toEqual([
      {
        at: "/options/thinking",
        what: "the request not to think",
        why: "gemini-3-pro-preview always thinks; minimal thinking is requested",
        severity: "approximated",
      },
    ]);
    expect(write({ options: { thinking: "off" } }).losses).toEqual([]);
  });

  test("Google's own words win", () => {
    const options = {
      maxTokens: 5,
      temperature: 1,
      extra: { generationConfig: { temperature: 0, topK: 1 } },
    };
    expect(write({ options }).body["generationConfig"]).toEqual({
      maxOutputTokens: 5,
      temperature: 0,
      topK: 1,
    });
  });
});

describe("a prompt", () => {
  test("of several texts is one, and is cut up again unless it was changed", () => {
    const systemInstruction = { role: "user", parts: [{ text: "One." }, { text: "Two." }] };
    const read = readRequest({ contents: [], systemInstruction });
    expect(read.context.systemPrompt).toBe("One.\n\nTwo.");
    expect(request(read, {}, () => undefined)["systemInstruction"]).toEqual(systemInstruction);
    const changed = { ...read, context: { ...read.context, systemPrompt: "Another one." } };
    expect(request(changed, {}, () => undefined)["systemInstruction"]).toEqual({
      role: "user",
      parts: [{ text: "Another one." }],
    });
  });
});

test("neither the model nor whether to stream is in a body", () => {
  expect(readRequest({ contents: [] })).toEqual({
    model: "",
    stream: false,
    context: { messages: [] },
    options: {},
  });
});

test("a result that was changed is written anew", () => {
  const response = { rows: 3 };
  const read = readRequest({
    contents: [{ role: "user", parts: [{ functionResponse: { name: "f", response } }] }],
  });
  const [result] = read.context.messages;
  if (result?.role !== "toolResult") throw new Error("expected a result");
  expect(result.content).toEqual([{ type: "text", text: '{"rows":3}' }]);
  const shortened = { ...result, content: [{ type: "text" as const, text: "three rows" }] };
  expect(request({ ...read, context: { messages: [shortened] } }, {}, () => undefined)["contents"]).toEqual([
    { role: "user", parts: [{ functionResponse: { name: "f", response: { output: "three rows" } } }] },
  ]);
});

test("a result that does not say its tool is named after the call it answers", () => {
  const messages = [
    answer([{ type: "toolCall", id: "c1", name: "weather", arguments: {} }]),
    {
      role: "toolResult" as const,
      toolCallId: "c1",
      toolName: "",
      content: [{ type: "text" as const, text: "22" }],
      isError: false,
      timestamp: 3,
      ext: { synthesised: ["/toolName"] },
    },
  ];
  const { contents } = request({ ...call, context: { messages } }, {}, () => undefined);
  expect(contents).toEqual([
    { role: "model", parts: [{ functionCall: { name: "weather", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { name: "weather", response: { output: "22" } } }] },
  ]);
});
