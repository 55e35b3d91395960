import { expect, test } from "vitest";
import { is } from "../validate.js";

const turn = {
  role: "tool",
  content: [{ type: "text", text: "22 °C" }],
  timestamp: 1_700_000_002,
  toolResult: { toolCallId: "call_1", output: '{"celsius":22}' },
  metadata: { channel: "telegram", peerId: "42", messageId: "7", mood: "fine" },
};

test("a session turn has a time, and fields of the right types", () => {
  expect(is("SessionTurn", turn)).toBe(true);
  for (const wrong of [
    { timestamp: undefined },
    { mediaUrls: "https://example.test/a.mp4" },
    { _compacted: "yes" },
    { metadata: { channel: 4 } },
    { toolResult: { toolCallId: "call_1", isPending: "no" } },
    { content: [{ type: "image", source: { type: "file", path: "a.png" } }] },
    { role: "toolResult" },
  ]) {
    expect(is("SessionTurn", { ...turn, ...wrong })).toBe(false);
  }
});

test("a message that is handed to an agent needs no time", () => {
  const { timestamp: _, ...message } = turn;
  expect(is("AgentSessionMessage", message)).toBe(true);
  expect(is("AgentSessionMessage", { ...message, content: "22 °C" })).toBe(false);
});
