import { events } from "../../src/core/index.js";
import type { AssistantMessage } from "../../src/core/types.js";
import { bedrockApi } from "../../src/dialects/bedrock/index.js";
import { wireFraming } from "./wire-framing.js";

export const CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const NOW = Date.parse("2026-03-04T05:06:07Z");

/** An answer with a block of every kind. */
export const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Which tool?", thinkingSignature: "c2lnbmF0dXJl" },
    { type: "thinking", thinking: "", redacted: true, thinkingSignature: "c2VjcmV0" },
    { type: "text", text: "Voilà 😀" },
    { type: "toolCall", id: "tooluse_1", name: "read", arguments: { path: "é.ts" } },
  ],
  api: "bedrock-converse",
  provider: "bedrock",
  model: CLAUDE,
  usage: {
    input: 30,
    output: 12,
    cacheRead: 1000,
    cacheWrite: 5,
    totalTokens: 1047,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: NOW,
};

/** The bytes by which Bedrock would send an answer. */
export function streamOf(one: AssistantMessage): Buffer {
  const writer = bedrockApi.streamWriter();
  const { frame } = wireFraming("event-stream");
  const cut = (text: string) => text.match(/.{1,4}/gsu) ?? [];
  return Buffer.concat([...events(one, cut)].flatMap((event) => writer.push(event)).map(frame));
}
