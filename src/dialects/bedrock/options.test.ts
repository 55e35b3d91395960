import { describe, expect, test } from "vitest";
import type { CallOptions, Context, Flags } from "../../core/api/provider.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";

const CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const OPUS = "us.anthropic.claude-opus-4-8-v1:0";
const NOVA = "us.amazon.nova-2-lite-v1:0";
const GPT = "openai.gpt-oss-120b-1:0";
const LLAMA = "meta.llama3-70b-instruct-v1:0";
const PROFILE = "arn:aws:bedrock:us-east-1:1:application-inference-profile/p";

const hi: AgentMessage = { role: "user", content: "Hi", timestamp: 1 };
const read = { name: "read", description: "Reads", parameters: { type: "object" } };
const spec = { toolSpec: { name: "read", description: "Reads", inputSchema: { json: { type: "object" } } } };

function written(context: Partial<Context>, options: CallOptions = {}, model = CLAUDE, flags: Flags = {}) {
  const losses: Loss[] = [];
  const call = {
    model,
    stream: true,
    context: { messages: [hi], ...context },
    options: { cache: false, ...options },
  };
  return { body: request(call, flags, (loss) => losses.push(loss)), losses };
}

describe("thinking", () => {
  test.each([
    [CLAUDE, "low", { thinking: { type: "enabled", budget_tokens: 2048 } }],
    [CLAUDE, "xhigh", { thinking: { type: "enabled", budget_tokens: 20_480 } }],
    [CLAUDE, "max", { thinking: { type: "enabled", budget_tokens: 24_576 } }],
    [OPUS, "low", { thinking: { type: "adaptive" }, output_config: { effort: "low" } }],
    [OPUS, "xhigh", { thinking: { type: "adaptive" }, output_config: { effort: "xhigh" } }],
    [OPUS, "max", { thinking: { type: "adaptive" }, output_config: { effort: "max" } }],
    [NOVA, "high", { reasoningConfig: { type: "enabled", maxReasoningEffort: "high" } }],
    [GPT, "medium", { reasoning_effort: "medium" }],
  ] as const)("%s, %s", (model, thinking, fields) => {
    const { body, losses } = written({}, { thinking }, model);
    expect(body["additionalModelRequestFields"]).toEqual(fields);
    expect(losses).toEqual([]);
  });

  test.each([
    [OPUS, "minimal", { thinking: { type: "adaptive" }, output_config: { effort: "low" } }],
    [NOVA, "max", { reasoningConfig: { type: "enabled", maxReasoningEffort: "high" } }],
    [GPT, { budgetTokens: 1000 }, { reasoning_effort: "low" }],
    [GPT, "off", { reasoning_effort: "low" }],
    [CLAUDE, { budgetTokens: 10 }, { thinking: { type: "enabled", budget_tokens: 1024 } }],
  ] as const)("of %s is the closest to %j, which is a loss", (model, thinking, fields) => {
    const { body, losses } = written({}, { thinking }, model);
    expect(body["additionalModelRequestFields"]).toEqual(fields);
    expect(losses).toMatchObject([{ at: "/options/thinking", severity: "approximated" }]);
  });

  test.each([CLAUDE, OPUS, NOVA, LLAMA])("that %s need not do is not mentioned", (model) => {
    const { body, losses } = written({}, { thinking: "off" }, model);
    expect(body).toEqual({ messages: [{ role: "user", content: [{ text: "Hi" }] }] });
    expect(losses).toEqual([]);
  });

  test("of Claude behind an ARN follows the flag", () => {
    const options = { thinking: "low", temperature: 0.5, topK: 5 } as const;
    const { body, losses } = written({}, options, PROFILE, { adaptiveThinking: true });
    expect(body["additionalModelRequestFields"]).toEqual({
      thinking: { type: "adaptive" },
      output_config: { effort: "low" },
    });
    expect(losses.map(({ at }) => at)).toEqual(["/options/temperature", "/options/topK"]);
  });

  test("of a model that is not known is a loss", () => {
    const { body, losses } = written({}, { thinking: "low" }, "mistral.mistral-large-2402-v1:0");
    expect(body).not.toHaveProperty("additionalModelRequestFields");
    expect(losses).toMatchObject([{ at: "/options/thinking", severity: "dropped" }]);
  });

  test("of Claude comes on top of a limit, and without a temperature", () => {
    const { body, losses } = written({}, { thinking: "medium", maxTokens: 100, temperature: 0.2 });
    expect(body["inferenceConfig"]).toEqual({ maxTokens: 8292 });
    expect(losses).toMatchObject([{ at: "/options/temperature", severity: "dropped" }]);
  });

  test("of Claude is not asked for together with a forced tool", () => {
    const { body, losses } = written({ tools: [read] }, { thinking: "low", toolChoice: "any" });
    expect(body).not.toHaveProperty("additionalModelRequestFields");
    expect(body["toolConfig"]).toEqual({ tools: [spec], toolChoice: { any: {} } });
    expect(losses).toMatchObject([{ at: "/options/thinking", severity: "dropped" }]);
  });

  test("and the caller's own fields are sent together", () => {
    const extra = { additionalModelRequestFields: { top_k: 5 }, inferenceConfig: { topP: 0.5 } };
    const { body } = written({}, { thinking: "minimal", maxTokens: 10, extra });
    expect(body["additionalModelRequestFields"]).toEqual({
      thinking: { type: "enabled", budget_tokens: 1024 },
      top_k: 5,
    });
    expect(body["inferenceConfig"]).toEqual({ maxTokens: 1034, topP: 0.5 });
  });
});

describe("options", () => {
  test("that every model has are in inferenceConfig", () => {
    const { body, losses } = written({}, { maxTokens: 9, temperature: 0.1, topP: 0.2, stop: ["\n"] }, LLAMA);
    expect(body["inferenceConfig"]).toEqual({
      maxTokens: 9,
      temperature: 0.1,
      topP: 0.2,
      stopSequences: ["\n"],
    });
    expect(losses).toEqual([]);
  });

  test.each([
    [CLAUDE, { top_k: 5 }],
    ["amazon.nova-pro-v1:0", { inferenceConfig: { topK: 5 } }],
  ])("top-k sampling of %s", (model, fields) => {
    const { body, losses } = written({}, { topK: 5 }, model);
    expect(body["additionalModelRequestFields"]).toEqual(fields);
    expect(losses).toEqual([]);
  });

  test.each<[CallOptions, string, object, string]>([
    [{ topK: 5 }, LLAMA, {}, "dropped /options/topK"],
    [
      { temperature: 1.5 },
      LLAMA,
      { inferenceConfig: { temperature: 1 } },
      "approximated /options/temperature",
    ],
    [{ temperature: 0.5 }, OPUS, {}, "dropped /options/temperature"],
    [
      { temperature: 0.5, topP: 0.5 },
      CLAUDE,
      { inferenceConfig: { temperature: 0.5 } },
      "dropped /options/topP",
    ],
    [
      { stop: ["\n", "END"] },
      CLAUDE,
      { inferenceConfig: { stopSequences: ["END"] } },
      "approximated /options/stop",
    ],
    [{ stop: [""] }, LLAMA, {}, "approximated /options/stop"],
    [{ seed: 1 }, CLAUDE, {}, "dropped /options/seed"],
    [{ presencePenalty: 1 }, CLAUDE, {}, "dropped /options/presencePenalty"],
    [{ frequencyPenalty: 1 }, CLAUDE, {}, "dropped /options/frequencyPenalty"],
    [{ parallelToolCalls: false }, CLAUDE, {}, "dropped /options/parallelToolCalls"],
    [{ output: "json" }, CLAUDE, {}, "dropped /options/output"],
    [{ serviceTier: "scale" }, CLAUDE, {}, "dropped /options/serviceTier"],
    [{ user: "u" }, CLAUDE, {}, "dropped /options/user"],
  ])("%j for %s: %j", (options, model, fields, loss) => {
    const { body, losses } = written({}, options, model);
    expect(body).toEqual({ messages: [{ role: "user", content: [{ text: "Hi" }] }], ...fields });
    expect(losses.map(({ at, severity }) => `${severity} ${at}`)).toEqual([loss]);
  });

  test("that ask for the usual are not mentioned", () => {
    const options = { serviceTier: "auto", parallelToolCalls: true, presencePenalty: 0, frequencyPenalty: 0 };
    expect(written({}, options)).toEqual({
      body: { messages: [{ role: "user", content: [{ text: "Hi" }] }] },
      losses: [],
    });
  });

  test.each(["default", "flex", "priority", "reserved"])("the service tier %s", (serviceTier) => {
    const { body, losses } = written({}, { serviceTier });
    expect(body["serviceTier"]).toEqual({ type: serviceTier });
    expect(losses).toEqual([]);
  });

  test("a schema is JSON in a string, as the API accepts it", () => {
    const schema = { type: "object", properties: { age: { type: "integer", minimum: 0 } } };
    const { body, losses } = written({}, { output: { schema, name: "person", description: "Who" } });
    expect(body["outputConfig"]).toEqual({
      textFormat: {
        type: "json_schema",
        structure: {
          jsonSchema: {
            schema: '{"type":"object","properties":{"age":{"type":"integer"}},"additionalProperties":false}',
            name: "person",
            description: "Who",
          },
        },
      },
    });
    expect(losses).toMatchObject([{ at: "/options/output/schema/properties/age/minimum" }]);
  });
});

describe("a request that is read", () => {
  const messages = [{ role: "user", content: [{ text: "Hi" }] }];
  const format = (schema: string) => ({
    textFormat: { type: "json_schema", structure: { jsonSchema: { schema } } },
  });

  test.each<[object, CallOptions]>([
    [{ inferenceConfig: {} }, {}],
    [{ inferenceConfig: { maxTokens: 5, topP: null } }, { maxTokens: 5 }],
    [{ additionalModelRequestFields: { thinking: { type: "disabled" } } }, { thinking: "off" }],
    [
      {
        additionalModelRequestFields: { thinking: { type: "adaptive", display: "omitted" } },
        outputConfig: { effort: "low" },
      },
      { thinking: "low" },
    ],
    [{ additionalModelRequestFields: { thinking: { type: "adaptive" } } }, { thinking: "high" }],
    [
      { additionalModelRequestFields: { reasoningConfig: { type: "enabled", maxReasoningEffort: "low" } } },
      { thinking: "low" },
    ],
    [{ additionalModelRequestFields: { reasoning_effort: "medium" } }, { thinking: "medium" }],
    [{ additionalModelRequestFields: { output_config: { effort: "low" } } }, {}],
    [{ additionalModelRequestFields: { inferenceConfig: { topK: 3 } } }, { topK: 3 }],
    [
      { outputConfig: format('{ "type": "string", "minLength": 2 }') },
      {
        output: { schema: { type: "string", minLength: 2 } },
      },
    ],
    [{ outputConfig: format("{") }, {}],
    [{ serviceTier: { type: "reserved" } }, { serviceTier: "reserved" }],
    [{ toolConfig: { tools: [spec], toolChoice: { auto: {} } } }, { toolChoice: "auto" }],
    [{ toolConfig: { tools: [spec], toolChoice: { auto: { x: 1 } } } }, {}],
    [{ toolConfig: { toolChoice: { any: {} } } }, { toolChoice: "any" }],
    [{ toolConfig: {} }, {}],
  ])("%j is written as it was, for Claude too", (fields, expected) => {
    for (const model of [{}, { modelId: OPUS }, { modelId: CLAUDE }]) {
      const body = { ...model, messages, ...fields };
      const losses: Loss[] = [];
      const call = readRequest(body);
      const { cache: _, extra: __, form: ___, ...options } = call.options;
      expect(options).toEqual(expected);
      expect(request(call, {}, (loss) => losses.push(loss))).toEqual(body);
      expect(losses).toEqual([]);
    }
  });

  test.each(["inferenceConfig", "toolConfig"])("has an object in %s", (field) => {
    expect(() => readRequest({ messages, [field]: 1 })).toThrow(expect.objectContaining({ at: `/${field}` }));
  });
});
