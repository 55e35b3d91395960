import { expect, test } from "vitest";
import type { AgentMessage } from "../../src/core/index.js";
import { connect } from "../../src/providers/connect.js";
import type { ApiName } from "../../src/providers/endpoints.js";
import { validateRequest as anthropic } from "../fakes/anthropic.js";
import { validateRequest as google } from "../fakes/google.js";
import { validateRequest as ollama } from "../fakes/ollama.js";
import { validateRequest as openaiChat } from "../fakes/openai-chat.js";
import { validateRequest as openaiResponses } from "../fakes/openai-responses.js";

const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const history: AgentMessage[] = [
  { role: "user", content: "read it", timestamp: 1 },
  {
    role: "assistant",
    content: [{ type: "toolCall", id: "c1", name: "read", arguments: {} }],
    api: "a",
    provider: "p",
    model: "m",
    usage,
    stopReason: "toolUse",
    timestamp: 2,
  },
  {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "text", text: "ok" }],
    isError: false,
    timestamp: 3,
  },
];

/** What each API is sent for an empty list of tools. OpenAI Chat refuses one; the others take it, and say it back. */
test.each<[ApiName, (body: unknown) => string | undefined, unknown]>([
  ["anthropic", anthropic, []],
  ["openai-chat", openaiChat, undefined],
  ["openai-responses", openaiResponses, []],
  ["google", google, undefined],
  ["ollama", ollama, []],
])("%s takes a history of calls when no tools are left", async (api, refusal, sent) => {
  const model = connect("local/m", { api, baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const { request } = await model.preview({ messages: history, tools: [] });
  expect(refusal(request)).toBeUndefined();
  expect(request["tools"]).toEqual(sent);
  const { request: without } = await model.preview({ messages: history });
  expect(refusal(without)).toBeUndefined();
  expect(without["tools"]).toBeUndefined();
});
