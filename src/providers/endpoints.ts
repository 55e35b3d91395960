import { isLoopback, joinUrl, withoutEndingSlashes } from "../core/api/base-url.js";
import type { Api, Flags } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import type { ApiName } from "../dialects/registry.js";
import type { Host } from "./hosts/host.js";
import { type Environment, findKey, type Key, resolveKey } from "./keys.js";

/** A provider's address, its API, and how it receives the key. */
export interface Endpoint {
  api: ApiName;
  /** May contain `{model}` and a query. */
  baseUrl: string;
  /** The environment variables that may contain its key, in order; none if the host has its own credentials. */
  keyVariables: readonly string[];
  /** The variable that contains a bearer token instead of a key. */
  tokenVariable?: string;
  /** The header for the key (default: the API's). */
  keyHeader?: string;
  /** Whether it needs no key, like servers on the user's computer. */
  keyless?: boolean;
  flags?: Flags;
  /** The cloud that serves the API, if address and credentials depend on the account; loaded when used. */
  host?: () => Promise<Host>;
}

/** A provider that can be used by its name. */
export interface KnownProvider extends Omit<Endpoint, "baseUrl"> {
  /** `{VARIABLE}` is read from the environment; the first URL with all variables set is used. The host fills in `{name}`. */
  baseUrls: readonly [string, ...string[]];
  /** Whether many people use it: lists show it before the user has a key. */
  common?: true;
  /** Its name in OpenTelemetry's conventions (default: ours). */
  telemetryName?: string;
  /** Its server has only the models that the user has downloaded, and lists them. */
  pullsModels?: true;
}

const chat = { api: "openai-chat" } as const;

/** Older compatible servers accept only this name for the limit. */
const maxTokens = { maxTokensField: "max_tokens" } as const;

/** Servers on this computer: no key, and any kind of model, including models that think in tags. */
const local = { ...chat, keyless: true, flags: { ...maxTokens, thinkTags: true } } as const;

const VERTEX = "https://{host}/v1/projects/{project}/locations/{location}/publishers";

/** The providers that need no configuration. */
export const endpoints: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    api: "anthropic",
    baseUrls: ["https://api.anthropic.com"],
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    common: true,
    tokenVariable: "ANTHROPIC_AUTH_TOKEN",
  },
  openai: {
    api: "openai-responses",
    baseUrls: ["https://api.openai.com/v1"],
    keyVariables: ["OPENAI_API_KEY"],
    common: true,
  },
  google: {
    telemetryName: "gcp.gemini",
    api: "google",
    baseUrls: ["https://generativelanguage.googleapis.com/v1beta"],
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    common: true,
  },
  bedrock: {
    telemetryName: "aws.bedrock",
    api: "bedrock",
    baseUrls: ["https://bedrock-runtime.{region}.amazonaws.com"],
    keyVariables: [],
    host: async () => (await import("./hosts/bedrock.js")).bedrockHost,
  },
  vertex: {
    telemetryName: "gcp.vertex_ai",
    api: "google",
    baseUrls: [`${VERTEX}/google`],
    keyVariables: [],
    host: async () => (await import("./hosts/vertex.js")).vertexGemini,
  },
  "vertex-anthropic": {
    telemetryName: "gcp.vertex_ai",
    api: "anthropic",
    baseUrls: [`${VERTEX}/anthropic`],
    keyVariables: [],
    host: async () => (await import("./hosts/vertex.js")).vertexClaude,
  },
  azure: {
    telemetryName: "azure.ai.openai",
    ...chat,
    baseUrls: [
      "{AZURE_OPENAI_ENDPOINT}/openai/v1",
      "https://{AZURE_OPENAI_RESOURCE_NAME}.openai.azure.com/openai/v1",
    ],
    keyVariables: ["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
    keyHeader: "api-key",
  },
  cerebras: {
    ...chat,
    baseUrls: ["https://api.cerebras.ai/v1"],
    keyVariables: ["CEREBRAS_API_KEY"],
    flags: { thinkingField: "reasoning" },
  },
  deepseek: {
    ...chat,
    baseUrls: ["https://api.deepseek.com"],
    keyVariables: ["DEEPSEEK_API_KEY"],
    common: true,
    flags: { ...maxTokens, thinkingField: "reasoning_content" },
  },
  fireworks: {
    ...chat,
    baseUrls: ["https://api.fireworks.ai/inference/v1"],
    keyVariables: ["FIREWORKS_API_KEY"],
    flags: { ...maxTokens, thinkTags: true },
  },
  groq: {
    ...chat,
    baseUrls: ["https://api.groq.com/openai/v1"],
    keyVariables: ["GROQ_API_KEY"],
    common: true,
    flags: { thinkingField: "reasoning", thinkTags: true },
  },
  mistral: {
    telemetryName: "mistral_ai",
    ...chat,
    baseUrls: ["https://api.mistral.ai/v1"],
    keyVariables: ["MISTRAL_API_KEY"],
    common: true,
    // It refuses unknown fields.
    flags: {
      ...maxTokens,
      streamOptions: false,
      emptyTools: false,
      callIdLength: 9,
      thinkingField: "content",
    },
  },
  moonshot: {
    telemetryName: "moonshot_ai",
    ...chat,
    baseUrls: ["https://api.moonshot.ai/v1"],
    keyVariables: ["MOONSHOT_API_KEY"],
    flags: { ...maxTokens, thinkingField: "reasoning_content" },
  },
  openrouter: {
    ...chat,
    baseUrls: ["https://openrouter.ai/api/v1"],
    keyVariables: ["OPENROUTER_API_KEY"],
    common: true,
    flags: { ...maxTokens, thinkingField: "reasoning" },
  },
  together: {
    ...chat,
    baseUrls: ["https://api.together.xyz/v1"],
    keyVariables: ["TOGETHER_API_KEY"],
    flags: { ...maxTokens, thinkTags: true },
  },
  xai: { ...chat, telemetryName: "x_ai", baseUrls: ["https://api.x.ai/v1"], keyVariables: ["XAI_API_KEY"] },
  zai: {
    ...chat,
    baseUrls: ["https://api.z.ai/api/paas/v4"],
    keyVariables: ["ZAI_API_KEY"],
    flags: { ...maxTokens, thinkingField: "reasoning_content" },
  },
  ollama: {
    api: "ollama",
    baseUrls: ["http://127.0.0.1:11434"],
    keyVariables: [],
    keyless: true,
    pullsModels: true,
  },
  lmstudio: { ...local, baseUrls: ["http://127.0.0.1:1234/v1"], keyVariables: [] },
  llamacpp: { ...local, baseUrls: ["http://127.0.0.1:8080/v1"], keyVariables: ["LLAMA_API_KEY"] },
  vllm: { ...local, baseUrls: ["http://127.0.0.1:8000/v1"], keyVariables: ["VLLM_API_KEY"] },
};

export function findEndpoint(provider: string): KnownProvider | undefined {
  return Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined;
}

/** The API of unknown servers. */
const DEFAULT_API = "openai-chat";

/** Settings that replace those in the table. */
export interface EndpointSettings {
  api?: ApiName;
  baseUrl?: string;
  flags?: Flags;
}

/** A provider's endpoint, by its name or its base URL. Throws if the name is unknown and there is no base URL. */
export function resolveEndpoint(provider: string, settings: EndpointSettings, env: Environment): Endpoint {
  const { api, baseUrl, flags } = settings;
  const known = findEndpoint(provider);
  if (known === undefined) {
    if (baseUrl === undefined) throw unknownProvider(provider);
    return {
      api: api ?? DEFAULT_API,
      baseUrl,
      keyVariables: [],
      keyless: isKeyless(provider, baseUrl),
      flags: flags ?? {},
    };
  }
  const { baseUrls, common: _, ...rest } = known;
  return {
    ...rest,
    api: api ?? known.api,
    baseUrl: baseUrl ?? findBaseUrl(provider, baseUrls, env),
    keyless: isKeyless(provider, baseUrl),
    flags: { ...known.flags, ...flags },
  };
}

/** Whether a provider, at this address instead of its own if there is one, needs no key. */
export function isKeyless(provider: string, baseUrl: string | undefined): boolean {
  return findEndpoint(provider)?.keyless === true || (baseUrl !== undefined && isLoopback(baseUrl));
}

export function apiOf(provider: string, api: ApiName | undefined): ApiName {
  return api ?? findEndpoint(provider)?.api ?? DEFAULT_API;
}

function unknownProvider(provider: string): DragomanError {
  return new DragomanError("provider/unknown", `there is no provider "${provider}"`, {
    hint: `known providers are ${Object.keys(endpoints).join(", ")} and demo; others need a baseUrl`,
  });
}

function findBaseUrl(provider: string, baseUrls: readonly string[], env: Environment): string {
  const variable = /\{([A-Z_]+)\}/g;
  const valueIn = (name: string) => withoutEndingSlashes(env(name)?.trim() ?? "");
  for (const url of baseUrls) {
    const names = [...url.matchAll(variable)].map(([, name = ""]) => name);
    if (names.every((name) => valueIn(name) !== "")) return url.replace(variable, (_, name) => valueIn(name));
  }
  const names = baseUrls.flatMap((url) => [...url.matchAll(variable)].map(([, name = ""]) => name));
  throw new DragomanError("provider/unknown", `the address of ${provider} is unknown`, {
    hint: `set ${names.join(" or ")}, or pass a baseUrl`,
  });
}

/** The key for a provider's endpoint; undefined if none is needed, or if the host finds its own credentials. */
export function keyFor(
  provider: string,
  { keyVariables, keyless, host }: Pick<Endpoint, "keyVariables" | "keyless" | "host">,
  explicit: string | undefined,
  env: Environment,
): Key | undefined {
  if (host !== undefined) return findKey(provider, [], explicit, () => undefined);
  const find = keyless === true ? findKey : resolveKey;
  return find(provider, keyVariables, explicit, env);
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** The URL and the headers of one call. A header given as null is removed. */
export function address(
  { address: { path, keyHeaders = bearer, headers } }: Pick<Api, "address">,
  { baseUrl, tokenVariable, keyHeader }: Pick<Endpoint, "baseUrl" | "tokenVariable" | "keyHeader">,
  model: string,
  key: Key | undefined,
  extra: Readonly<Record<string, string | null>> = {},
): { url: string; headers: Record<string, string> } {
  const isToken = key?.variable !== undefined && key.variable === tokenVariable;
  const authenticate = isToken
    ? bearer
    : keyHeader === undefined
      ? keyHeaders
      : (value: string) => ({ [keyHeader]: value });
  const all: Record<string, string | null> = {
    "content-type": "application/json",
    ...headers,
    ...(key === undefined ? {} : authenticate(key.value)),
    ...Object.fromEntries(Object.entries(extra).map(([name, value]) => [name.toLowerCase(), value])),
  };
  return {
    url: joinUrl(baseUrl, path(model), model),
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  };
}
