import { withoutEndingSlashes } from "../core/api/base-url.js";
import type { Api, Flags } from "../core/api/provider.js";
import type { ApiName } from "../dialects/registry.js";
import type { Host } from "./hosts/host.js";
import type { Key } from "./keys.js";

/** Where a provider is, what it speaks, and how it is shown the key. */
export interface Endpoint {
  api: ApiName;
  baseUrl: string;
  /** The variables that may hold its key, in order; none for a provider without keys. */
  keyVariables?: readonly string[];
  /** The one of them that holds a token instead, which is shown otherwise. */
  tokenVariable?: string;
  flags?: Flags;
  /** The cloud that serves the API, where its address and its credentials are not fixed; loaded when used. */
  host?: () => Promise<Host>;
}

const VERTEX = "https://{host}/v1/projects/{project}/locations/{location}/publishers";

/** The providers that need no configuration. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  anthropic: {
    api: "anthropic",
    baseUrl: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    tokenVariable: "ANTHROPIC_AUTH_TOKEN",
  },
  openai: { api: "openai-responses", baseUrl: "https://api.openai.com/v1", keyVariables: ["OPENAI_API_KEY"] },
  google: {
    api: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
  ollama: { api: "ollama", baseUrl: "http://127.0.0.1:11434" },
  bedrock: {
    api: "bedrock",
    baseUrl: "https://bedrock-runtime.{region}.amazonaws.com",
    host: async () => (await import("./hosts/bedrock.js")).bedrockHost,
  },
  vertex: {
    api: "google",
    baseUrl: `${VERTEX}/google`,
    host: async () => (await import("./hosts/vertex.js")).vertexGemini,
  },
  "vertex-anthropic": {
    api: "anthropic",
    baseUrl: `${VERTEX}/anthropic`,
    host: async () => (await import("./hosts/vertex.js")).vertexClaude,
  },
};

export function findEndpoint(provider: string): Endpoint | undefined {
  return Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined;
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** The URL and the headers of one call. A header given as null is removed. */
export function address(
  { address: { path, keyHeaders = bearer, headers } }: Api,
  { baseUrl, tokenVariable }: Endpoint,
  model: string,
  key: Key | undefined,
  extra: Readonly<Record<string, string | null>> = {},
): { url: string; headers: Record<string, string> } {
  const isToken = key?.variable !== undefined && key.variable === tokenVariable;
  const all: Record<string, string | null> = {
    "content-type": "application/json",
    ...headers,
    ...(key === undefined ? {} : isToken ? bearer(key.value) : keyHeaders(key.value)),
    ...Object.fromEntries(Object.entries(extra).map(([name, value]) => [name.toLowerCase(), value])),
  };
  return {
    url: `${withoutEndingSlashes(baseUrl)}${path(model)}`,
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  };
}
