import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { afterEach } from "vitest";
import type { ApiName } from "../../../src/dialects/registry.js";
import {
  EMBEDDING_KEY,
  type EmbeddingProvider,
  type EmbeddingServer,
  embeddingProvider,
} from "../../fakes/embedding-provider.js";
import { gatewayForEachTest } from "./gateway.js";

const servers: Record<EmbeddingServer, ApiName> = {
  openai: "openai-responses",
  "openai-floats": "openai-chat",
  google: "google",
  ollama: "ollama",
};

/** A gateway for every test of a file, the clients that embed, and a provider to embed with. */
export function embeddingGateway() {
  const gateway = gatewayForEachTest();
  let upstream: EmbeddingProvider | undefined;

  async function close(): Promise<void> {
    await upstream?.close();
    upstream = undefined;
  }
  afterEach(close);

  return {
    gateway,
    /** Restarts the gateway with a provider `acme` that embeds in this API; `wrong` is the same with another key. */
    async withProvider(server: EmbeddingServer): Promise<EmbeddingProvider> {
      await close();
      upstream = await embeddingProvider(server);
      const provider = { baseUrl: upstream.baseUrl, api: servers[server], maxRetries: 0 };
      const names = ["acme/embedder", "acme/other", "wrong/embedder", "anthropic/claude-opus-4-8"];
      await gateway().restart({
        providers: {
          acme: { ...provider, apiKey: EMBEDDING_KEY },
          wrong: { ...provider, apiKey: "k" },
        },
        models: Object.fromEntries([...names, "bedrock/amazon.nova-pro-v1:0"].map((name) => [name, {}])),
      });
      return upstream;
    },
    openai: () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 }),
    google: () => new GoogleGenAI({ apiKey: gateway().chat, httpOptions: { baseUrl: gateway().url } }),
    ollama: () => new Ollama({ host: gateway().url, headers: { authorization: `Bearer ${gateway().chat}` } }),
    post(path: string, body: object, token = gateway().chat): Promise<Response> {
      return gateway().fetch(path, { method: "POST", token, body: JSON.stringify(body) });
    },
  };
}
