import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import { clawtools } from "./index.js";

const usage = {
  input: 1,
  output: 2,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 3,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const answer = (content: Extract<AgentMessage, { role: "assistant" }>["content"]): AgentMessage => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "m",
  usage,
  stopReason: "stop",
  timestamp: 1,
  id: "m1",
});

describe("messages of other dialects are written as", () => {
  test.each<[string, AgentMessage, unknown[]]>([
    [
      "text",
      { role: "user", content: "Hi", timestamp: 1, sender: "alice" },
      [{ role: "user", content: "Hi" }],
    ],
    [
      "an array of blocks, also for plain text",
      answer([{ type: "text", text: "Hi" }]),
      [{ role: "assistant", content: [{ type: "text", text: "Hi" }] }],
    ],
    [
      "blocks with their signatures, without ext and without what only others understand",
      answer([
        { type: "thinking", thinking: "Hm.", thinkingSignature: "s", ext: { cline: { a: 1 } } },
        { type: "opaque", dialect: "anthropic", value: 1 },
        { type: "toolCall", id: "c", name: "read", arguments: { a: 1 } },
      ]),
      [
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", thinkingSignature: "s" },
            { type: "toolCall", id: "c", name: "read", arguments: { a: 1 } },
          ],
        },
      ],
    ],
    [
      "image_url blocks",
      {
        role: "user",
        content: [
          { type: "image", data: "AAAA", mimeType: "image/png" },
          { type: "image", url: "https://example.com/a.png", name: "a.png" },
        ],
        timestamp: 1,
      },
      [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
            { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          ],
        },
      ],
    ],
    [
      "text and image data alone in a tool result",
      {
        role: "toolResult",
        toolCallId: "c",
        toolName: "read",
        content: [
          { type: "text", text: "A", textSignature: "s" },
          { type: "image", data: "AAAA", mimeType: "image/png" },
          { type: "image", url: "https://example.com/a.png" },
        ],
        isError: true,
        details: { n: 1 },
        timestamp: 1,
      },
      [
        {
          role: "toolResult",
          toolCallId: "c",
          toolName: "read",
          content: [
            { type: "text", text: "A" },
            { type: "image", data: "AAAA", mimeType: "image/png" },
          ],
          isError: true,
          details: { n: 1 },
        },
      ],
    ],
    ["nothing, for a system prompt", { role: "system", content: "Be brief.", timestamp: 1 }, []],
    ["nothing, for a status", { role: "status", state: "busy", timestamp: 1 }, []],
  ])("%s", (_, message, records) => expect(clawtools.encode([message])).toEqual(records));
});

test("a mark says how content stood only while the content is still what it was", () => {
  const [decoded] = clawtools.decode([{ role: "assistant", content: "Hi" }]);
  const message = decoded?.message;
  if (message?.role !== "assistant") throw new Error("an assistant message was expected");
  message.content.push({ type: "text", text: "there" });
  expect(clawtools.encode([message])).toEqual([
    {
      role: "assistant",
      content: [
        { type: "text", text: "Hi" },
        { type: "text", text: "there" },
      ],
    },
  ]);
});

const text = fc.constantFrom("", "x", "text", "image_url", "data:a;base64,b", "clawtools", "stop");
const leaf = fc.oneof(text, fc.constantFrom<unknown>(null, 0, 5, true, false, {}, []));
const key = fc.constantFrom(
  ...["content", "type", "text", "url", "image_url", "data", "mimeType", "id", "name", "arguments", "ext"],
  ...[
    "toolCallId",
    "toolName",
    "isError",
    "details",
    "timestamp",
    "usage",
    "stopReason",
    "sender",
    "parentId",
  ],
  ...["tool_calls", "__proto__", "clawtools", "absent", "also", "fields", "value", "dialect"],
);
const { value } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  object: fc.dictionary(key, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));
const block = fc
  .tuple(
    fc.constantFrom("text", "thinking", "image", "image_url", "toolCall", "opaque", "tool_use", "audio"),
    fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true }),
  )
  .map(([type, fields]) => ({ ...fields, type }));
const record = fc
  .tuple(
    fc.constantFrom("user", "assistant", "toolResult", "system", "tool", "session"),
    fc.oneof(text, fc.array(fc.oneof(block, value), { maxLength: 3 }), fc.constant(null)),
    fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
  )
  .map(([role, content, fields]): Record<string, unknown> => ({ content, ...fields, role }));

/** Unlike `toEqual` this sees a `__proto__`. */
function canonical(json: unknown): string {
  return JSON.stringify(json, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1))
      : inner,
  );
}

test("whatever stands in the array comes back as it was, or is refused with a place", () => {
  const ends = { same: 0, refused: 0 };
  fc.assert(
    fc.property(record, (given) => {
      const before: unknown = JSON.parse(JSON.stringify(given));
      let messages: AgentMessage[];
      try {
        messages = clawtools.decode([given]).map(({ message }) => message);
      } catch (error) {
        expect(error).toBeInstanceOf(DragomanError);
        expect(error).toMatchObject({ code: "model/invalid", at: expect.stringMatching(/^\/0/) });
        ends.refused++;
        return;
      }
      expect(canonical(given)).toBe(canonical(before));
      expect(canonical(clawtools.encode(messages))).toBe(canonical([given]));
      clawtools.check?.([given]);
      clawtools.mend?.(given);
      ends.same++;
    }),
    { numRuns: 2000 },
  );
  expect(ends.same).toBeGreaterThan(1000);
  expect(ends.refused).toBeGreaterThan(20);
});

test("a time beyond all times is a field like any other", () => {
  const record = { role: "user", content: "x", timestamp: Number.POSITIVE_INFINITY };
  const messages = clawtools.decode([record]).map(({ message }) => message);
  expect(messages.map(({ timestamp }) => timestamp)).toEqual([0]);
  expect(clawtools.encode(messages)).toEqual([record]);
});

describe("detect", () => {
  const score = (document: unknown) => clawtools.detect({ lines: [], document });
  test.each<[string, unknown, number]>([
    ["a toolResult", [{ role: "user", content: "x" }, { role: "toolResult" }], 0.95],
    ["a toolCall block", [{ role: "assistant", content: [{ type: "toolCall" }] }], 0.95],
    ["plain talk", [{ role: "user", content: "x" }], 0.6],
    ["the shapes of another format", [{ role: "tool", tool_call_id: "c", content: "x" }], 0],
    ["an empty array", [], 0.3],
    ["something else among the messages", [{ role: "user", content: "x" }, 7], 0],
    ["messages of another kind", [{ role: "user", parts: [{ text: "x" }] }], 0],
    ["an object around the messages", { messages: [{ role: "toolResult" }] }, 0],
    ["no document", undefined, 0],
  ])("%s", (_, document, expected) => expect(score(document)).toBe(expected));
});
