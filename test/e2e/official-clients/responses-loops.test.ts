import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import {
  PROVIDER_KEY,
  type ServedApi,
  type StrictProvider,
  strictProvider,
} from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
const open: StrictProvider[] = [];

afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
});

const lookup = {
  type: "function" as const,
  name: "lookup",
  description: "Looks a step up.",
  parameters: {
    type: "object",
    properties: { step: { type: "number" } },
    required: ["step"],
    additionalProperties: false,
  },
  strict: true,
};

type State = { conversation: string } | { previous_response_id: string | null };

/** A gateway with a strict provider, which is restarted on demand, and a token that outlives it. */
async function setUp(api: ServedApi) {
  const strict = await strictProvider(api);
  open.push(strict);
  const acme = { baseUrl: strict.baseUrl, apiKey: PROVIDER_KEY, api, maxRetries: 0 };
  const model = `acme/${strict.model}`;
  const restart = () => gateway().restart({ providers: { acme }, models: { [model]: {} } });
  await restart();
  const { secret } = await gateway().tokens.create("client", "chat");
  const client = () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: secret, maxRetries: 0 });
  return { strict, model, restart, client };
}

/** Runs tools until the model is done. Each request has only what is new, and the gateway restarts between all of them. */
async function loop(
  { client, model, restart }: Awaited<ReturnType<typeof setUp>>,
  state: State,
  stream: boolean,
): Promise<OpenAI.Responses.Response> {
  let input: OpenAI.Responses.ResponseInput = [
    { role: "developer", content: "Be brief." },
    { role: "user", content: "Go." },
  ];
  for (let next = state; ; ) {
    const body = { model, tools: [lookup], reasoning: { effort: "high" as const }, input, ...next };
    const response = stream
      ? await client().responses.stream(body).finalResponse()
      : await client().responses.create(body);
    input = response.output.flatMap((item) =>
      item.type === "function_call"
        ? [{ type: "function_call_output" as const, call_id: item.call_id, output: `found ${item.call_id}` }]
        : [],
    );
    if (input.length === 0) return response;
    await restart();
    if (!("conversation" in next)) next = { previous_response_id: response.id };
  }
}

const apis: readonly ServedApi[] = ["openai-responses", "anthropic", "openai-chat", "google", "ollama"];

describe.each(apis)("%s", (api) => {
  test.each([false, true])(
    "a loop of five turns with previous_response_id is accepted, streamed: %s",
    async (stream) => {
      const setup = await setUp(api);
      const last = await loop(setup, { previous_response_id: null }, stream);
      expect(setup.strict.refusals).toEqual([]);
      expect(setup.strict.requests).toHaveLength(6);
      expect(last.output_text).toBe("Done after 5 calls.");
      expect(last.status).toBe("completed");
    },
  );

  test("a loop of five turns in a conversation is accepted", async () => {
    const setup = await setUp(api);
    const { id } = await setup.client().conversations.create();
    const last = await loop(setup, { conversation: id }, false);
    expect(setup.strict.refusals).toEqual([]);
    expect(last.output_text).toBe("Done after 5 calls.");
    expect(last.conversation).toEqual({ id });
    const types: string[] = [];
    for await (const item of setup.client().conversations.items.list(id, { order: "asc", limit: 5 })) {
      if (item.type !== "reasoning" && item.type !== "web_search_call") types.push(item.type);
    }
    const turn = ["function_call", "function_call_output"];
    expect(types).toEqual(["message", "message", ...Array(5).fill(turn).flat(), "message"]);
  });
});
