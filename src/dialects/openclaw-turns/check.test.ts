import { describe, expect, test } from "vitest";
import { check } from "./check.js";

const text = [{ type: "text", text: "x" }];

describe("check", () => {
  test.each([
    ["a turn of the seed", { role: "user", content: text, timestamp: 1700000000 }],
    ["milliseconds", { role: "user", content: text, timestamp: 1700000000000 }],
    [
      "metadata of a channel",
      { role: "user", content: text, metadata: { channel: "c", peerId: "p", messageId: "1" } },
    ],
    ["a compacted turn", { role: "user", content: text, timestamp: 1700000000, _compacted: true }],
    ["a result", { role: "tool", content: text, toolResult: { toolCallId: "a", output: "x" } }],
    ["a pending result", { role: "tool", content: [], toolResult: { toolCallId: "a", isPending: true } }],
    ["media", { role: "user", content: [{ type: "audio", source: { type: "url", url: "https://a.test" } }] }],
    ["open metadata", { role: "assistant", content: text, metadata: { anything: [1] } }],
  ])("is happy with %s", (_, turn) => expect(check([{ timestamp: 1700000000, ...turn }])).toEqual([]));

  test.each([
    ["string-content", "/0/content", { role: "user", content: "x" }],
    ["no-content", "/0/content", { role: "user", content: null }],
    ["no-content", "/0", { role: "user" }],
    ["unknown-block", "/0/content/1", { role: "user", content: [...text, { type: "video" }] }],
    ["unknown-block", "/0/content/0", { role: "user", content: [{ type: "image", data: "AA" }] }],
    ["unknown-role", "/0/role", { role: "developer", content: text }],
    ["no-timestamp", "/0", { role: "user", content: text, timestamp: undefined }],
    ["bad-field", "/0/mediaUrls", { role: "user", content: text, mediaUrls: "https://a.test" }],
    ["bad-field", "/0/_compacted", { role: "user", content: text, _compacted: "yes" }],
    ["bad-field", "/0/metadata/channel", { role: "user", content: text, metadata: { channel: 7 } }],
    ["bad-field", "/0/metadata/peerId", { role: "user", content: text, metadata: { peerId: 42 } }],
    ["bad-field", "/0/metadata/messageId", { role: "user", content: text, metadata: { messageId: 1 } }],
    [
      "bad-field",
      "/0/toolResult/isPending",
      { role: "tool", content: text, toolResult: { toolCallId: "a", isPending: "no" } },
    ],
    ["bad-metadata", "/0/metadata", { role: "user", content: text, metadata: "x" }],
    [
      "misplaced-call",
      "/0/toolCall",
      { role: "user", content: text, toolCall: { id: "a", name: "b", arguments: {} } },
    ],
    [
      "bad-arguments",
      "/0/toolCall",
      { role: "assistant", content: [], toolCall: { id: "a", name: "b", arguments: "{}" } },
    ],
    ["misplaced-result", "/0/toolResult", { role: "user", content: text, toolResult: { toolCallId: "a" } }],
    ["no-result", "/0", { role: "tool", content: text }],
    ["no-call-id", "/0/toolResult", { role: "tool", content: text, toolResult: { output: "x" } }],
    [
      "output-and-error",
      "/0/toolResult",
      { role: "tool", content: text, toolResult: { toolCallId: "a", output: "x", error: "y" } },
    ],
    [
      "broken-parts",
      "/0/metadata/dragoman",
      { role: "assistant", content: text, metadata: { dragoman: { part: 1, parts: 2 } } },
    ],
  ])("names %s at %s", (reason, at, turn) => {
    expect(check([{ timestamp: 1700000000, ...turn }])).toEqual([
      expect.objectContaining({ at, code: `openclaw-turns/${reason}`, severity: "warning" }),
    ]);
  });

  test("is happy with a message of several turns", () => {
    const part = (number: number) => ({
      role: "assistant",
      content: [],
      toolCall: { id: `c${number}`, name: "read", arguments: {} },
      timestamp: 1740000000000,
      metadata: { dragoman: { part: number, parts: 2 } },
    });
    expect(check([part(1), part(2)])).toEqual([]);
    expect(check([part(2)])).toEqual([expect.objectContaining({ code: "openclaw-turns/broken-parts" })]);
  });
});
