import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { modelProtocols } from "../../../src/gateway/models/protocols.js";
import { testGateway } from "../../fakes/gateway.js";
import { models } from "../../fakes/model-server.js";
import { type StructuredProvider, structuredProvider } from "../../fakes/structured-provider.js";
import { structuredClients } from "./structured-clients.js";
import { structuredFrameworks } from "./structured-frameworks.js";

const clients = { ...structuredClients, ...structuredFrameworks };

/** This client parses the empty first piece of a call's arguments as JSON, which fails without a gateway, too. */
const FAILS_STREAMED = "@langchain/anthropic withStructuredOutput";
/** This client moves enums into descriptions, so that a demo model, which reads none, cannot follow them. */
const HIDES_ENUMS = "@langchain/anthropic jsonSchema";

function namesFor(stream: boolean): string[] {
  return Object.keys(clients).filter((name) => !stream || name !== FAILS_STREAMED);
}
const apis = Object.keys(models) as (keyof typeof models)[];

const answer = {
  city: "Oslo",
  sky: "grey",
  degrees: -3.5,
  wind: null,
  stations: [{ name: "Blindern", open: true }],
};

const demoAnswer = { city: "Oslo", sky: "clear", degrees: 1, wind: 1, stations: [] };

const providers = new Map<string, StructuredProvider>();

beforeAll(async () => {
  for (const api of apis) providers.set(api, await structuredProvider(api, JSON.stringify(answer)));
});

afterAll(async () => {
  for (const provider of providers.values()) await provider.close();
});

const modelOf = (api: (typeof apis)[number]) => `the-${api}/${models[api].id}`;

function startGateway() {
  const configured = apis.map((api) => [
    `the-${api}`,
    { api, baseUrl: providers.get(api)?.url ?? "", apiKey: "k", maxRetries: 0 },
  ]);
  return testGateway([(given) => modelProtocols(given)], {
    config: {
      providers: Object.fromEntries(configured),
      models: Object.fromEntries(apis.map((api) => [modelOf(api), {}])),
    },
  });
}

describe.each([false, true])("streamed: %s", (stream) => {
  test.each(namesFor(stream))("%s parses the answers of every model", async (name) => {
    const { url, chat: key } = await startGateway();
    const ask = async (model: string) =>
      clients[name]?.({ url, key, model, stream }).catch((error: unknown) => String(error));
    if (name !== HIDES_ENUMS) expect(await ask("demo/echo")).toEqual(demoAnswer);
    for (const api of apis) {
      const provider = providers.get(api);
      const parsed = await ask(modelOf(api));
      expect({ api, refused: provider?.takeRefusals(), parsed }).toEqual({
        api,
        refused: [],
        parsed: answer,
      });
      for (const schema of provider?.takeSchemas() ?? []) {
        expect(Object.keys(schema["properties"] ?? {})).toEqual(Object.keys(answer));
      }
    }
  });
});
