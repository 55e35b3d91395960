import { Type } from "@sinclair/typebox";
import { afterEach, describe, expect, test } from "vitest";
import { run, type Tool } from "../../../src/agent/index.js";
import type { JsonObject } from "../../../src/core/json/value.js";
import type { AgentMessage, Loss } from "../../../src/core/types.js";
import type { ApiName } from "../../../src/dialects/registry.js";
import { connect } from "../../../src/providers/connect.js";
import { PROVIDER_KEY, type StrictProvider, strictProvider } from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";
import { toolLoops } from "./tool-loops.js";

const gateway = gatewayForEachTest();
const open: StrictProvider[] = [];

afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
});

async function provider(api: ApiName): Promise<StrictProvider> {
  const started = await strictProvider(api);
  open.push(started);
  return started;
}

/** What the gateway may change: the model's name, and whether the answer is streamed. */
function withoutSwitches({ model: _, stream: __, stream_options: ___, ...body }: JsonObject): JsonObject {
  return body;
}

const bodies = ({ requests }: StrictProvider) => requests.map(({ body }) => withoutSwitches(body));

describe.each(Object.keys(toolLoops) as ApiName[])("%s", (api) => {
  test.each([false, true])("a loop of five turns goes through unchanged, streamed: %s", async (stream) => {
    const direct = await provider(api);
    const target = { key: PROVIDER_KEY, model: direct.model, stream };
    expect(await toolLoops[api]({ ...target, url: direct.url })).toBe("Done after 5 calls.");

    const behind = await provider(api);
    const acme = { baseUrl: behind.baseUrl, apiKey: PROVIDER_KEY, api, maxRetries: 0 };
    const model = `acme/${behind.model}`;
    await gateway().restart({ providers: { acme }, models: { [model]: {} } });
    const through = { key: gateway().chat, model, stream, url: gateway().url };
    expect(await toolLoops[api](through)).toBe("Done after 5 calls.");

    expect(behind.refusals).toEqual([]);
    expect(behind.requests).toHaveLength(6);
    expect(bodies(behind)).toEqual(bodies(direct));
    for (const { headers, body } of behind.requests) {
      expect(JSON.stringify(headers)).not.toContain(gateway().chat);
      expect(headers["cookie"]).toBeUndefined();
      expect(body["model"] ?? behind.model).toBe(behind.model);
    }
  });

  test("an agent's loop of five turns is accepted", async () => {
    const strict = await provider(api);
    const lookup: Tool = {
      name: "lookup",
      description: "Looks a step up.",
      parameters: Type.Object({ step: Type.Number() }),
      execute: async () => ({ content: "found it" }),
    };
    const model = connect(`acme/${strict.model}`, {
      api,
      baseUrl: strict.baseUrl,
      apiKey: PROVIDER_KEY,
      maxRetries: 0,
    });
    const losses: Loss[] = [];
    let added: readonly AgentMessage[] = [];
    const options = {
      model,
      tools: [lookup],
      call: { thinking: "high" as const },
      onLosses: (found: readonly Loss[]) => losses.push(...found),
    };
    for await (const event of run([{ role: "user", content: "Go.", timestamp: 1 }], options)) {
      if (event.type === "agent_end") added = event.messages;
    }
    expect(strict.refusals).toEqual([]);
    expect(losses.filter(({ severity }) => severity === "dropped")).toEqual([]);
    expect(strict.requests).toHaveLength(6);
    const last = added.at(-1);
    expect(last).toMatchObject({ role: "assistant", stopReason: "stop" });
    expect(JSON.stringify(last)).toContain("Done after 5 calls.");
  });
});
