import { expect } from "vitest";
import { DragomanError } from "../../src/core/error.js";
import type { AgentMessage, Loss } from "../../src/core/index.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { connect } from "../../src/providers/connect.js";
import { models } from "./model-server.js";

/**
 * What a provider is really sent when a model is asked, and what the caller is told of it; undefined when the messages are
 * refused with an error before anything is sent. `strict`: the API must accept the request.
 */
export async function asked(
  api: ApiName,
  messages: readonly AgentMessage[],
  { strict = true } = {},
): Promise<{ body: string; losses: Loss[] } | undefined> {
  let body: string | undefined;
  const losses: Loss[] = [];
  const model = connect(`${api}/${models[api].id}`, {
    api,
    baseUrl: "http://127.0.0.1:9/",
    apiKey: "k",
    maxRetries: 0,
    fetch: async (_, init) => {
      body = String(init.body);
      return new Response("{}", { status: 400 });
    },
  });
  const answer = model.complete({ messages: [...messages] }, { onLosses: (told) => losses.push(...told) });
  await expect(answer).rejects.toBeInstanceOf(DragomanError);
  if (body === undefined) return undefined;
  if (strict) expect(models[api].refusal(JSON.parse(body)), body).toBeUndefined();
  return { body, losses };
}
