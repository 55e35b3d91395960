import { expect, test } from "vitest";
import type { AgentMessage } from "../../../src/core/index.js";
import type { ApiName } from "../../../src/dialects/registry.js";
import { connect } from "../../../src/providers/connect.js";
import { validateRequest as anthropic } from "../../fakes/anthropic.js";
import { validateRequest as openaiChat } from "../../fakes/openai-chat.js";
import { validateRequest as openaiResponses } from "../../fakes/openai-responses.js";

const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** Two calls whose ids are the same in all but the last letter, as long as Gemini and some proxies make them. */
function history(length: number): AgentMessage[] {
  const ids = ["A", "B"].map((end) => "c".repeat(length - 1) + end);
  return [
    { role: "user", content: "read both", timestamp: 1 },
    {
      role: "assistant",
      content: ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })),
      api: "a",
      provider: "p",
      model: "m",
      usage,
      stopReason: "toolUse",
      timestamp: 2,
    },
    ...ids.map(
      (toolCallId): AgentMessage => ({
        role: "toolResult",
        toolCallId,
        toolName: "read",
        content: [{ type: "text", text: "ok" }],
        isError: false,
        timestamp: 3,
      }),
    ),
  ];
}

test.each<[ApiName, number, (body: unknown) => string | undefined]>([
  ["anthropic", 64, anthropic],
  ["openai-chat", 40, openaiChat],
  ["openai-responses", 64, openaiResponses],
])("%s gets ids of %i characters as they are, and longer ones apart", async (api, longest, refusal) => {
  const model = connect("local/m", { api, baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const fits = await model.preview({ messages: history(longest) });
  expect(refusal(fits.request)).toBeUndefined();
  expect(fits.losses).toEqual([]);
  const cut = await model.preview({ messages: history(longest + 1) });
  expect(refusal(cut.request)).toBeUndefined();
  expect(cut.losses.map(({ at }) => at)).toEqual(["/messages/1/content/0/id", "/messages/1/content/1/id"]);
});
