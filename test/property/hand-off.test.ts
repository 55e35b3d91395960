import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentMessage } from "../../src/core/index.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { connect } from "../../src/providers/connect.js";
import { validateRequest as anthropic } from "../fakes/anthropic.js";
import { validateRequest as bedrock } from "../fakes/bedrock.js";
import { validateRequest as google } from "../fakes/google.js";
import { validateRequest as ollama } from "../fakes/ollama.js";
import { validateRequest as openaiChat } from "../fakes/openai-chat.js";
import { validateRequest as openaiResponses } from "../fakes/openai-responses.js";
import { conversation } from "../generate/conversations.js";

/** A server that gave thinking takes it back, in a field of its own. */
const asCompatible = (body: unknown) => openaiChat(body, ["reasoning_content", "reasoning_details"]);

/** A model behind each API, as messages name it, and the fake that refuses what the API refuses. */
const models: Record<ApiName, { api: string; model: string; refusal(body: unknown): string | undefined }> = {
  anthropic: { api: "anthropic-messages", model: "claude-opus-4-6", refusal: anthropic },
  "openai-chat": { api: "openai-completions", model: "gpt-5.5", refusal: asCompatible },
  "openai-responses": { api: "openai-responses", model: "gpt-5.5", refusal: openaiResponses },
  google: {
    api: "google-generative-ai",
    model: "gemini-2.5-flash",
    refusal: (body) => google(body, "gemini-2.5-flash"),
  },
  ollama: { api: "ollama-chat", model: "qwen3:8b", refusal: ollama },
  bedrock: { api: "bedrock-converse", model: "anthropic.claude-sonnet-4-5-20250929-v1:0", refusal: bedrock },
};

const names = Object.keys(models) as ApiName[];
const pairs = names.flatMap((from) => names.map((to) => [from, to] as const));

/** The same conversation, held with another model. */
function heldWith(messages: readonly AgentMessage[], from: ApiName): AgentMessage[] {
  const { api, model } = models[from];
  return messages.map((message) =>
    message.role === "assistant" ? { ...message, api, provider: from, model } : message,
  );
}

const tools = [
  {
    name: "read",
    description: "Reads a file",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
];

/** What a model is shown, in short: who speaks, how many blocks. */
function spoken(messages: readonly AgentMessage[]): number {
  return messages.filter(({ role }) => role === "user" || role === "assistant" || role === "toolResult")
    .length;
}

describe("a conversation goes on with another model", () => {
  test.each(pairs)("%s → %s", async (from, to) => {
    const seen = { requests: 0, calls: 0, adjusted: 0, untouched: 0 };
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const history = heldWith(messages, from);
        const model = connect(`${to}/${models[to].model}`, {
          api: to,
          baseUrl: "http://127.0.0.1:9/",
          apiKey: "k",
        });
        const asked = [...history, { role: "user" as const, content: "Go on.", timestamp: 1 }];
        const { request, losses } = await model.preview({
          systemPrompt: "Be brief.",
          messages: asked,
          tools,
        });
        expect(models[to].refusal(request), JSON.stringify(request)).toBeUndefined();
        seen.requests++;
        if (losses.length > 0) seen.adjusted++;
        else seen.untouched++;
        if (history.some((message) => message.role === "toolResult")) seen.calls++;
        // Every pointer of the ledger leads to a message of the context.
        for (const { at } of losses) {
          const index = Number(/^\/messages\/(\d+)/.exec(at)?.[1] ?? "0");
          expect(index).toBeLessThan(asked.length);
        }
        expect(spoken(asked)).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    );
    expect(seen.requests).toBe(40);
    expect(seen.calls).toBeGreaterThan(5);
    expect(seen.adjusted).toBeGreaterThan(5);
  });
});
