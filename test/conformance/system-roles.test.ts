import { expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json/value.js";
import type { AgentMessage } from "../../src/core/types.js";
import { type ApiName, loadApi } from "../../src/dialects/registry.js";
import { connect } from "../../src/providers/connect.js";

/** Two prompts of an operator, a question, and another instruction of the operator. */
const requests: readonly [ApiName, JsonObject][] = [
  [
    "openai-chat",
    {
      model: "m",
      messages: [
        { role: "system", content: "A" },
        { role: "developer", content: [{ type: "text", text: "B" }] },
        { role: "user", content: "hi" },
        { role: "developer", content: [{ type: "text", text: "C" }] },
      ],
    },
  ],
  [
    "openai-responses",
    {
      model: "m",
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "A" }] },
        { role: "developer", content: "B" },
        { role: "user", content: "hi" },
        { type: "message", role: "developer", content: [{ type: "input_text", text: "C" }] },
      ],
    },
  ],
  [
    "anthropic",
    {
      model: "m",
      max_tokens: 9,
      system: [
        { type: "text", text: "A" },
        { type: "text", text: "B" },
      ],
      messages: [
        { role: "user", content: "hi" },
        { role: "system", content: "C" },
      ],
    },
  ],
  [
    "ollama",
    {
      model: "m",
      messages: [
        { role: "system", content: "A" },
        { role: "system", content: "B" },
        { role: "user", content: "hi" },
        { role: "system", content: "C" },
      ],
    },
  ],
];

const hi = { role: "user", content: "hi" };

/** What each API is sent, and whether the operator's later text stays the operator's. */
const targets: readonly [ApiName, JsonObject, boolean][] = [
  [
    "openai-chat",
    { messages: [{ role: "system", content: "A\n\nB" }, hi, { role: "system", content: "C" }] },
    true,
  ],
  [
    "openai-responses",
    {
      instructions: "A\n\nB",
      input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }, { content: "C" }],
    },
    true,
  ],
  [
    "ollama",
    { messages: [{ role: "system", content: "A\n\nB" }, hi, { role: "system", content: "C" }] },
    true,
  ],
  [
    "anthropic",
    {
      system: "A\n\nB",
      messages: [
        { role: "user", content: [{ type: "text", text: "hi" }] },
        { role: "user", content: [{ type: "text", text: "C" }] },
      ],
    },
    false,
  ],
  [
    "google",
    {
      systemInstruction: { parts: [{ text: "A\n\nB" }] },
      contents: [{ role: "user", parts: [{ text: "hi" }, { text: "C" }] }],
    },
    false,
  ],
  [
    "bedrock",
    {
      system: [{ text: "A\n\nB" }],
      messages: [{ role: "user", content: [{ text: "hi" }, { text: "C" }] }],
    },
    false,
  ],
];

const pairs = requests.flatMap(([from, body]) =>
  targets.flatMap(([to, expected, stays]) => (from === to ? [] : [{ from, to, body, expected, stays }])),
);

async function sent(
  messages: readonly AgentMessage[],
  systemPrompt: string | undefined,
  api: ApiName,
  flags = {},
) {
  const model = connect("local/m", { api, flags, baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const context = { messages, ...(systemPrompt === undefined ? {} : { systemPrompt }) };
  return model.preview(context, { cache: false });
}

test.each(pairs)("the operator's text: $from → $to", async ({ from, to, body, expected, stays }) => {
  const { context } = (await loadApi(from)).readRequest(body);
  const { request, losses } = await sent(context.messages, context.systemPrompt, to);
  expect(request).toMatchObject(expected);
  const place = context.messages.length - 1;
  expect(losses.map(({ at, severity }) => `${severity} ${at}`)).toEqual(
    stays ? [] : [`approximated /messages/${place}`],
  );
});

test("Responses is sent the role of a later instruction", async () => {
  const messages: AgentMessage[] = [
    { role: "user", content: "hi", timestamp: 1 },
    { role: "system", content: "C", timestamp: 1 },
  ];
  const { request } = await sent(messages, undefined, "openai-responses");
  expect(request["input"]).toEqual([
    { role: "user", content: [{ type: "input_text", text: "hi" }] },
    { role: "system", content: "C" },
  ]);
});

test("Anthropic's beta has system messages", async () => {
  const messages: AgentMessage[] = [
    { role: "user", content: "hi", timestamp: 1 },
    { role: "system", content: "C", timestamp: 1 },
  ];
  const { request, losses } = await sent(messages, undefined, "anthropic", { systemMessages: true });
  expect(request["messages"]).toEqual([
    { role: "user", content: [{ type: "text", text: "hi" }] },
    { role: "system", content: "C" },
  ]);
  expect(losses).toEqual([]);
});
