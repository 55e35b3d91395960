import { isLoopback, joinUrl } from "../core/api/base-url.js";
import type { Api, Flags } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import type { ApiName } from "../dialects/registry.js";
import type { Host } from "./hosts/host.js";
import { type Environment, findKey, type Key, resolveKey } from "./keys.js";

/** Where a provider is, what it speaks, and how it is shown the key. */
export interface Endpoint {
  api: ApiName;
  /** May contain `{model}` and a query. */
  baseUrl: string;
  /** The variables that may hold its key, in order; none where the host has credentials of its own. */
  keyVariables: readonly string[];
  /** The one of them that holds a token instead, which is shown otherwise. */
  tokenVariable?: string;
  /** The header that carries the key (default: the API's). */
  keyHeader?: string;
  /** Whether it answers without a key, as servers on the user's own computer do. */
  keyless?: boolean;
  flags?: Flags;
  /** The cloud that serves the API, where its address and its credentials are not fixed; loaded when used. */
  host?: () => Promise<Host>;
}

/** A provider that is known by its name. */
export interface KnownProvider extends Omit<Endpoint, "baseUrl"> {
  /** `{VARIABLE}` is read from the environment; the first URL whose variables are all set is used. `{name}` is the host's. */
  baseUrls: readonly [string, ...string[]];
}

const chat = { api: "openai-chat" } as const;

/** Older compatible servers know only this name of the limit. */
const maxTokens = { maxTokensField: "max_tokens" } as const;

/** What a server on this computer has in common: no key, and models of any kind, some of which think in tags. */
const local = { ...chat, keyless: true, flags: { ...maxTokens, thinkTags: true } } as const;

const VERTEX = "https://{host}/v1/projects/{project}/locations/{location}/publishers";

/** The providers that need no configuration. */
export const endpoints: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    api: "anthropic",
    baseUrls: ["https://api.anthropic.com"],
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    tokenVariable: "ANTHROPIC_AUTH_TOKEN",
  },
  openai: {
    api: "openai-responses",
    baseUrls: ["https://api.openai.com/v1"],
    keyVariables: ["OPENAI_API_KEY"],
  },
  google: {
    api: "google",
    baseUrls: ["https://generativelanguage.googleapis.com/v1beta"],
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
  bedrock: {
    api: "bedrock",
    baseUrls: ["https://bedrock-runtime.{region}.amazonaws.com"],
    keyVariables: [],
    host: async () => (await import("./hosts/bedrock.js")).bedrockHost,
  },
  vertex: {
    api: "google",
    baseUrls: [`${VERTEX}/google`],
    keyVariables: [],
    host: async () => (await import("./hosts/vertex.js")).vertexGemini,
  },
  "vertex-anthropic": {
    api: "anthropic",
    baseUrls: [`${VERTEX}/anthropic`],
    keyVariables: [],
    host: async () => (await import("./hosts/vertex.js")).vertexClaude,
  },
  azure: {
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
    flags: maxTokens,
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
    flags: { thinkingField: "reasoning", thinkTags: true },
  },
  mistral: {
    ...chat,
    baseUrls: ["https://api.mistral.ai/v1"],
    keyVariables: ["MISTRAL_API_KEY"],
    // It refuses every field that it does not know.
    flags: {
      ...maxTokens,
      streamOptions: false,
      emptyTools: false,
      callIdLength: 9,
      thinkingField: "content",
    },
  },
  moonshot: {
    ...chat,
    baseUrls: ["https://api.moonshot.ai/v1"],
    keyVariables: ["MOONSHOT_API_KEY"],
    flags: maxTokens,
  },
  openrouter: {
    ...chat,
    baseUrls: ["https://openrouter.ai/api/v1"],
    keyVariables: ["OPENROUTER_API_KEY"],
    flags: { ...maxTokens, thinkingField: "reasoning" },
  },
  together: {
    ...chat,
    baseUrls: ["https://api.together.xyz/v1"],
    keyVariables: ["TOGETHER_API_KEY"],
    flags: { ...maxTokens, thinkTags: true },
  },
  xai: { ...chat, baseUrls: ["https://api.x.ai/v1"], keyVariables: ["XAI_API_KEY"] },
  zai: {
    ...chat,
    baseUrls: ["https://api.z.ai/api/paas/v4"],
    keyVariables: ["ZAI_API_KEY"],
    flags: maxTokens,
  },
  ollama: { api: "ollama", baseUrls: ["http://127.0.0.1:11434"], keyVariables: [], keyless: true },
  lmstudio: { ...local, baseUrls: ["http://127.0.0.1:1234/v1"], keyVariables: [] },
  llamacpp: { ...local, baseUrls: ["http://127.0.0.1:8080/v1"], keyVariables: ["LLAMA_API_KEY"] },
  vllm: { ...local, baseUrls: ["http://127.0.0.1:8000/v1"], keyVariables: ["VLLM_API_KEY"] },
};

export function findEndpoint(provider: string): KnownProvider | undefined {
  return Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined;
}

/** What servers speak that we do not know. */
const DEFAULT_API = "openai-chat";

/** What a caller sets otherwise than the table does. */
export interface EndpointSettings {
  api?: ApiName;
  baseUrl?: string;
  flags?: Flags;
}

/** The endpoint of a provider, by its name or by its base URL. Throws when it has neither. */
export function resolveEndpoint(provider: string, settings: EndpointSettings, env: Environment): Endpoint {
  const { api, baseUrl, flags } = settings;
  const known = findEndpoint(provider);
  if (known === undefined) {
    if (baseUrl === undefined) throw unknownProvider(provider);
    return {
      api: api ?? DEFAULT_API,
      baseUrl,
      keyVariables: [],
      keyless: isLoopback(baseUrl),
      flags: flags ?? {},
    };
  }
  const { baseUrls, ...rest } = known;
  return {
    ...rest,
    api: api ?? known.api,
    baseUrl: baseUrl ?? locate(provider, baseUrls, env),
    keyless: known.keyless === true || (baseUrl !== undefined && isLoopback(baseUrl)),
    flags: { ...known.flags, ...flags },
  };
}

export function apiOf(provider: string, api: ApiName | undefined): ApiName {
  return api ?? findEndpoint(provider)?.api ?? DEFAULT_API;
}

function unknownProvider(provider: string): DragomanError {
  return new DragomanError("provider/unknown", `there is no provider "${provider}"`, {
    hint: `there are ${Object.keys(endpoints).join(", ")} and demo; give a baseUrl for any other`,
  });
}

function locate(provider: string, baseUrls: readonly string[], env: Environment): string {
  const variable = /\{([A-Z_]+)\}/g;
  const valueIn = (name: string) => env(name)?.trim().replace(/\/+$/, "") ?? "";
  for (const url of baseUrls) {
    const names = [...url.matchAll(variable)].map(([, name = ""]) => name);
    if (names.every((name) => valueIn(name) !== "")) return url.replace(variable, (_, name) => valueIn(name));
  }
  const names = baseUrls.flatMap((url) => [...url.matchAll(variable)].map(([, name = ""]) => name));
  throw new DragomanError("provider/unknown", `the address of ${provider} is not known`, {
    hint: `set ${names.join(" or ")}, or give a baseUrl`,
  });
}

/** The key for a provider's endpoint; undefined where none is needed, or where the host looks for credentials itself. */
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
  const show = isToken
    ? bearer
    : keyHeader === undefined
      ? keyHeaders
      : (value: string) => ({ [keyHeader]: value });
  const all: Record<string, string | null> = {
    "content-type": "application/json",
    ...headers,
    ...(key === undefined ? {} : show(key.value)),
    ...Object.fromEntries(Object.entries(extra).map(([name, value]) => [name.toLowerCase(), value])),
  };
  return {
    url: joinUrl(baseUrl, path(model), model),
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  };
}
