import fc from "fast-check";
import type { AgentMessage } from "../../src/core/index.js";
import { conversation } from "./conversations.js";

const timestamp = 1_700_000_000_000;

/** What conversations of other systems have, and ours rarely: files, prompts of several blocks, roles that programs added. */
const unusual: fc.Arbitrary<AgentMessage> = fc.constantFrom<AgentMessage[]>(
  {
    role: "system",
    content: [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    timestamp,
  },
  {
    role: "user",
    content: [{ type: "file", data: "", mimeType: "application/pdf", name: "a.pdf" }],
    timestamp,
  },
  { role: "user", content: [{ type: "audio", data: "", mimeType: "audio/wav" }], timestamp },
  { role: "user", content: [{ type: "image", url: "https://example.com/a.png" }], timestamp },
  { role: "custom", customType: "note", content: "for the model", timestamp },
  { role: "custom", customType: "note", content: [{ type: "text", text: "for the model" }], timestamp },
  { role: "agentMessage", senderId: "a", payload: { action: "delegate", to: ["b"] }, timestamp },
  { role: "agentComplete", agentId: "a", result: { answer: "done" }, timestamp },
);

/**
 * Conversations with unusual messages at their head, between and behind. Summaries replace what they summarise, by their
 * meaning: here there are none.
 */
export const anything = fc
  .tuple(conversation, fc.array(fc.tuple(unusual, fc.nat()), { maxLength: 3 }))
  .map(([messages, others]) => {
    const all = messages.filter(({ role }) => role !== "compaction");
    for (const [other, place] of others) all.splice(place % (all.length + 1), 0, other);
    return all;
  });
