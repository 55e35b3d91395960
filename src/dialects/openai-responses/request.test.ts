import { describe, expect, test } from "vitest";
import type { Call, CallOptions, Flags } from "../../core/api/provider.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantContent, AssistantMessage, Loss } from "../../core/types.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";

const user: AgentMessage = { role: "user", content: "Hi", timestamp: 1 };
const answer = (content: AssistantContent[], more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  content,
  api: "openai-responses",
  provider: "openai",
  model: "gpt-5.5",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 2,
  ...more,
});

function write(context: Partial<Call["context"]>, options: CallOptions = {}, flags: Flags = {}) {
  const losses: Loss[] = [];
  const call = { model: "gpt-5.5", context: { messages: [user], ...context }, options, stream: true };
  return { body: request(call, flags, (loss) => losses.push(loss)), losses };
}

describe("what is asked", () => {
  test("the least: nothing is stored", () => {
    expect(write({}).body).toEqual({
      model: "gpt-5.5",
      input: [{ role: "user", content: "Hi" }],
      store: false,
      stream: true,
    });
  });

  test("a prompt, tools and options", () => {
    const tools = [{ name: "read", description: "Read a file.", parameters: { type: "object" } }];
    const options: CallOptions = {
      maxTokens: 100,
      temperature: 0.5,
      thinking: "low",
      toolChoice: "any",
      extra: { service_tier: "flex" },
    };
    expect(write({ systemPrompt: "Be brief.", tools }, options).body).toEqual({
      model: "gpt-5.5",
      instructions: "Be brief.",
      input: [{ role: "user", content: "Hi" }],
      tools: [
        {
          type: "function",
          name: "read",
          description: "Read a file.",
          parameters: { type: "object" },
          strict: false,
        },
      ],
      tool_choice: "required",
      max_output_tokens: 100,
      temperature: 0.5,
      reasoning: { effort: "low", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      service_tier: "flex",
      store: false,
      stream: true,
    });
  });

  test("servers that differ", () => {
    const tools = [{ name: "read", description: "", parameters: {} }];
    const { body } = write(
      { systemPrompt: "Hm.", tools },
      {},
      { systemRole: "developer", store: false, strict: false },
    );
    expect(body).toEqual({
      model: "gpt-5.5",
      input: [
        { role: "developer", content: "Hm." },
        { role: "user", content: "Hi" },
      ],
      tools: [{ type: "function", name: "read", description: "", parameters: {} }],
      stream: true,
    });
  });

  test.each<[CallOptions["thinking"], object | undefined, unknown]>([
    [undefined, undefined, undefined],
    ["off", { effort: "none" }, undefined],
    ["high", { effort: "high", summary: "auto" }, ["reasoning.encrypted_content"]],
    [{ budgetTokens: 4000 }, { effort: "medium", summary: "auto" }, ["reasoning.encrypted_content"]],
  ])("thinking %j", (thinking, reasoning, include) => {
    const { body } = write({}, thinking === undefined ? {} : { thinking });
    expect([body["reasoning"], body["include"]]).toEqual([reasoning, include]);
  });

  test("what it cannot say is reported", () => {
    const result: AgentMessage = {
      role: "toolResult",
      toolCallId: "c",
      toolName: "read",
      content: [],
      isError: true,
      timestamp: 3,
    };
    const { body, losses } = write(
      { messages: [result] },
      { maxTokens: 3, thinking: { budgetTokens: 9000 } },
    );
    expect(body).toMatchObject({
      input: [{ type: "function_call_output", call_id: "c", output: "" }],
      max_output_tokens: 16,
      reasoning: { effort: "high" },
    });
    expect(losses.map(({ at, severity }) => [at, severity])).toEqual([
      ["/messages/0/isError", "dropped"],
      ["/options/maxTokens", "approximated"],
      ["/options/thinking", "approximated"],
    ]);
  });
});

describe("answers that are sent back", () => {
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
  const thought: AssistantContent = {
    type: "thinking",
    thinking: "",
    thinkingSignature: JSON.stringify(reasoning),
  };
  const text: AssistantContent = {
    type: "text",
    text: "Hello",
    textSignature: '{"v":1,"id":"msg_1","phase":"commentary"}',
  };
  const call: AssistantContent = {
    type: "toolCall",
    id: "call_1",
    name: "read",
    arguments: { a: 1 },
    ext: { "openai-responses": { id: "fc_1", item: { fields: { arguments: '{ "a": 1 }' } } } },
  };
  const items = (message: AssistantMessage) => write({ messages: [message] }).body["input"];

  test("are the items they were", () => {
    expect(items(answer([thought, text, call]))).toEqual([
      reasoning,
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        phase: "commentary",
        status: "completed",
        content: [{ type: "output_text", text: "Hello", annotations: [] }],
      },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "read",
        arguments: '{ "a": 1 }',
        status: "completed",
      },
    ]);
  });

  test.each([
    ["cap-1", "cap-2", 'requires this id to start with "msg_"', 'requires this id to start with "fc_"'],
    [
      `msg_${"x".repeat(61)}`,
      `fc_${"x".repeat(62)}`,
      "accepts ids of at most 64 characters",
      "accepts ids of at most 64 characters",
    ],
  ])("go without the ids %s and %s, which the API refuses", (textId, callId, whyText, whyCall) => {
    const foreign: AssistantContent[] = [
      {
        type: "text",
        text: "Hello",
        textSignature: JSON.stringify({ v: 1, id: textId, phase: "commentary" }),
      },
      {
        type: "toolCall",
        id: "call_1",
        name: "read",
        arguments: {},
        ext: { "openai-responses": { id: callId } },
      },
    ];
    const { body, losses } = write({ messages: [answer(foreign)] });
    expect(body["input"]).toEqual([
      { role: "assistant", phase: "commentary", content: "Hello" },
      { type: "function_call", call_id: "call_1", name: "read", arguments: "{}" },
    ]);
    expect(losses).toEqual([
      {
        at: "/messages/0/content/0",
        what: `the item id "${textId}"`,
        why: `this API ${whyText}`,
        severity: "dropped",
      },
      {
        at: "/messages/0/content/1",
        what: `the item id "${callId}"`,
        why: `this API ${whyCall}`,
        severity: "dropped",
      },
    ]);
  });

  test("say an id only once", () => {
    const { body, losses } = write({ messages: [answer([call]), answer([call])] });
    const plain = { type: "function_call", call_id: "call_1", name: "read", arguments: '{ "a": 1 }' };
    expect(body["input"]).toEqual([{ ...plain, id: "fc_1", status: "completed" }, plain]);
    expect(losses.map(({ at, what }) => `${at} ${what}`)).toEqual([
      '/messages/1/content/0 the item id "fc_1"',
    ]);
  });

  test("go without ids when their reasoning cannot go with them", () => {
    const unpaired = { ext: { "openai-responses": { unpaired: true } } };
    expect(items(answer([text, call], unpaired))).toEqual([
      { role: "assistant", phase: "commentary", content: "Hello" },
      { type: "function_call", call_id: "call_1", name: "read", arguments: '{ "a": 1 }' },
    ]);
  });

  test("spell arguments as they were, whatever the order of their keys", () => {
    const ext = { "openai-responses": { item: { fields: { arguments: '{ "a": 1, "b": 2 }' } } } };
    expect(items(answer([{ ...call, arguments: { b: 2, a: 1 }, ext }]))).toMatchObject([
      { arguments: '{ "a": 1, "b": 2 }' },
    ]);
  });

  test("spell arguments as they are, once these were changed", () => {
    expect(items(answer([{ ...call, arguments: { a: 2 } }]))).toMatchObject([{ arguments: '{"a":2}' }]);
  });

  test("do not end with thinking", () => {
    const { body, losses } = write({
      messages: [answer([text, thought, thought], { stopReason: "length" })],
    });
    expect(body["input"]).toMatchObject([{ id: "msg_1" }]);
    expect(losses.map(({ at }) => at)).toEqual(["/messages/0/content/1"]);
  });

  test("of other models are text", () => {
    const foreign = { type: "text" as const, text: "Hola", textSignature: "c2lnbmF0dXJl" };
    expect(items(answer([foreign, { type: "image", url: "https://x.test/a.png" }]))).toEqual([
      { role: "assistant", content: "Hola" },
    ]);
  });
});

describe("what is no request", () => {
  test.each<[string, unknown]>([
    ["a response", { object: "response", id: "resp_1", output: [], input: [] }],
    ["an object without input", { model: "gpt-5.5" }],
    ["a list", []],
  ])("%s", (_, body) => {
    expect(() => readRequest(body)).toThrow(expect.objectContaining({ code: "model/invalid", at: "" }));
  });
});
