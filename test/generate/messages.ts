import fc from "fast-check";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserContent,
  UserMessage,
} from "../../src/core/index.js";

/** Text as people and programs write it: empty, long, multilingual, with quotes, escapes and half characters. */
const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", " ", "\n", "é😀漢", 'a"b\\c', "\u2028", "</script>", "__proto__"),
  },
);

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/);
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));

/** JSON as tools take and give it. Never -0, which JSON cannot say. */
export const json: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));

const object = fc.dictionary(fc.oneof(id, fc.constantFrom("__proto__", "constructor", "", "a/b~c")), json, {
  maxKeys: 4,
  noNullPrototype: true,
});

const signature = fc.option(fc.base64String({ minLength: 4, maxLength: 24 }), { nil: undefined });

/** Leaves out the keys whose value is undefined: the model does not write them. */
export function present<T extends object>(value: T): T {
  for (const key of Object.keys(value)) {
    if (Reflect.get(value, key) === undefined) Reflect.deleteProperty(value, key);
  }
  return value;
}

const textBlock = fc
  .record({ type: fc.constant("text" as const), text, textSignature: signature })
  .map(present) as fc.Arbitrary<AssistantContent & UserContent>;

const imageBlock = fc.oneof(
  fc.record({
    type: fc.constant("image" as const),
    data: base64,
    mimeType: fc.constantFrom("image/png", "image/jpeg"),
  }),
  fc.record({ type: fc.constant("image" as const), url: fc.webUrl() }),
);

const thinkingBlock = fc
  .record({ type: fc.constant("thinking" as const), thinking: text, thinkingSignature: signature })
  .map(present) as fc.Arbitrary<AssistantContent>;

const toolCall: fc.Arbitrary<ToolCall> = fc.record({
  type: fc.constant("toolCall" as const),
  id,
  name: fc.constantFrom("read", "exec", "weather.get", "edit_file"),
  arguments: object as fc.Arbitrary<Record<string, unknown>>,
});

const opaqueBlock = fc.record({
  type: fc.constant("opaque" as const),
  dialect: fc.constantFrom("anthropic", "openclaw", "nobody"),
  value: fc.record({ type: fc.constant("server_tool_use"), x: json }),
});

const tokens = fc.nat(200_000);
const dollars = fc.nat(5_000_000).map((micro) => micro / 1e6);

const usage: fc.Arbitrary<Usage> = fc.record({
  input: tokens,
  output: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  totalTokens: tokens,
  cost: fc.record({
    input: dollars,
    output: dollars,
    cacheRead: dollars,
    cacheWrite: dollars,
    total: dollars,
  }),
});

const timestamp = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 });

export const userMessage: fc.Arbitrary<UserMessage> = fc.record({
  role: fc.constant("user" as const),
  content: fc.oneof(
    text,
    fc.array(
      fc.oneof({ weight: 4, arbitrary: textBlock }, { weight: 2, arbitrary: imageBlock }, opaqueBlock),
      { maxLength: 3 },
    ),
  ),
  timestamp,
});

export const assistantMessage: fc.Arbitrary<AssistantMessage> = fc
  .record({
    role: fc.constant("assistant" as const),
    content: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: textBlock },
        { weight: 3, arbitrary: thinkingBlock },
        { weight: 4, arbitrary: toolCall },
        { weight: 1, arbitrary: opaqueBlock },
        { weight: 1, arbitrary: imageBlock },
      ),
      { maxLength: 5 },
    ),
    api: fc.constantFrom("anthropic-messages", "openai-responses"),
    provider: fc.constantFrom("anthropic", "openai"),
    model: fc.constantFrom("claude-opus-4-6", "gpt-5.5"),
    usage,
    stopReason: fc.constantFrom("stop", "length", "toolUse", "error", "aborted"),
    errorMessage: fc.option(text, { nil: undefined, freq: 6 }),
    timestamp,
  })
  .map(present) as fc.Arbitrary<AssistantMessage>;

/** A result for a call; for one nobody made unless `callId` is given. */
export function toolResult(callId?: string, toolName = "read"): fc.Arbitrary<ToolResultMessage> {
  return fc
    .record({
      role: fc.constant("toolResult" as const),
      toolCallId: callId === undefined ? id : fc.constant(callId),
      toolName: fc.constant(toolName),
      content: fc.array(fc.oneof({ weight: 4, arbitrary: textBlock }, { weight: 1, arbitrary: imageBlock }), {
        maxLength: 3,
      }),
      details: fc.option(json, { nil: undefined }),
      isError: fc.boolean(),
      timestamp,
    })
    .map(present) as fc.Arbitrary<ToolResultMessage>;
}

export const otherMessage: fc.Arbitrary<AgentMessage> = fc.oneof(
  fc.record({ role: fc.constant("system" as const), content: text, timestamp }),
  fc.record({ role: fc.constant("status" as const), state: id, detail: text, timestamp }),
  fc.record({ role: fc.constant("error" as const), content: text, recoverable: fc.boolean(), timestamp }),
  fc.record({ role: fc.constant("agentComplete" as const), agentId: id, result: json, timestamp }),
  fc.record({ role: fc.constant("agentMessage" as const), senderId: id, payload: json, timestamp }),
  fc.record({ role: fc.constant("compaction" as const), summary: text, tokensBefore: tokens, timestamp }),
  fc
    .record({
      role: fc.constant("compaction" as const),
      summary: text,
      verbatim: fc.option(fc.boolean(), { nil: undefined }),
      keptIds: fc.option(fc.array(id, { maxLength: 2 }), { nil: undefined }),
      replacement: fc.option(fc.array(userMessage, { maxLength: 2 }), { nil: undefined }),
      timestamp,
    })
    .map(present) as fc.Arbitrary<AgentMessage>,
  fc.record({ role: fc.constant("custom" as const), customType: id, data: json, timestamp }),
);
