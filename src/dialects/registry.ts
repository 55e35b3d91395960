import type { ApiDialect } from "../core/api/api-dialect.js";
import type { EmbeddingApi } from "../core/api/embedding-api.js";
import type { Api } from "../core/api/provider.js";
import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import type { KnownShapes } from "../core/records/known-shapes.js";

const transcripts = {
  openclaw: async () => (await import("./openclaw/index.js")).openclaw,
  "openclaw-turns": async () => (await import("./openclaw-turns/index.js")).openclawTurns,
  pi: async () => (await import("./pi/index.js")).pi,
  cline: async () => (await import("./cline/index.js")).cline,
  clawtools: async () => (await import("./clawtools/index.js")).clawtools,
  timbal: async () => (await import("./timbal/index.js")).timbal,
  "claude-code": async () => (await import("./claude-code/index.js")).claudeCode,
  codex: async () => (await import("./codex/index.js")).codex,
  opencode: async () => (await import("./opencode/index.js")).opencode,
  "gemini-cli": async () => (await import("./gemini-cli/index.js")).geminiCli,
  "qwen-code": async () => (await import("./qwen-code/index.js")).qwenCode,
  "copilot-cli": async () => (await import("./copilot-cli/index.js")).copilotCli,
  cursor: async () => (await import("./cursor/index.js")).cursor,
  "ai-sdk-ui": async () => (await import("./ai-sdk-ui/index.js")).aiSdkUi,
  "ai-sdk": async () => (await import("./ai-sdk/index.js")).aiSdk,
  chatgpt: async () => (await import("./chatgpt/index.js")).chatgpt,
  "claude-ai": async () => (await import("./claude-ai/index.js")).claudeAi,
  "open-webui": async () => (await import("./open-webui/index.js")).openWebui,
  atif: async () => (await import("./atif/index.js")).atif,
  otel: async () => (await import("./otel/index.js")).otel,
  "openai-finetune": async () => (await import("./openai-finetune/index.js")).openaiFinetune,
  markdown: async () => (await import("./markdown/index.js")).markdown,
  html: async () => (await import("./html/index.js")).html,
} satisfies Record<string, () => Promise<Dialect>>;

/** The dialects of model providers whose clients the gateway serves. */
const servedApis = {
  anthropic: async () => (await import("./anthropic/index.js")).anthropic,
  "openai-chat": async () => (await import("./openai-chat/index.js")).openaiChat,
  "openai-responses": async () => (await import("./openai-responses/index.js")).openaiResponses,
  google: async () => (await import("./google/index.js")).google,
  ollama: async () => (await import("./ollama/index.js")).ollama,
} satisfies Record<string, () => Promise<ApiDialect>>;

/** The dialects of all model providers. */
const apis = {
  ...servedApis,
  bedrock: async () => (await import("./bedrock/index.js")).bedrock,
} satisfies Record<string, () => Promise<ApiDialect>>;

/** Every dialect, loaded when it is used. Adding one is a folder and a line here. */
export const registry = { ...transcripts, ...apis };

export type DialectName = keyof typeof registry;
export type ApiName = keyof typeof apis;
export type ServedApiName = keyof typeof servedApis;

export const apiNames: readonly ApiName[] = Object.keys(apis).filter((name) => isApiName(name));

/** The APIs that clients can speak to the gateway. */
export const servedApiNames: readonly ServedApiName[] = Object.keys(servedApis).filter((name) =>
  isServedApiName(name),
);

function isApiName(name: string): name is ApiName {
  return Object.hasOwn(apis, name);
}

function isServedApiName(name: string): name is ServedApiName {
  return Object.hasOwn(servedApis, name);
}

/** What the records of a dialect are known to contain. Loaded only to find what is unknown. */
const knownShapes: Readonly<Record<string, () => Promise<KnownShapes>>> = {
  openclaw: async () => (await import("./openclaw/known-shapes.js")).shapes,
  pi: async () => (await import("./pi/known-shapes.js")).shapes,
  cline: async () => (await import("./cline/known-shapes.js")).shapes,
  "claude-code": async () => (await import("./claude-code/known-shapes.js")).shapes,
  codex: async () => (await import("./codex/known-shapes.js")).shapes,
  opencode: async () => (await import("./opencode/known-shapes.js")).shapes,
  "gemini-cli": async () => (await import("./gemini-cli/known-shapes.js")).shapes,
  "qwen-code": async () => (await import("./qwen-code/known-shapes.js")).shapes,
  "copilot-cli": async () => (await import("./copilot-cli/known-shapes.js")).shapes,
  cursor: async () => (await import("./cursor/known-shapes.js")).shapes,
};

/** The dialects with a list of known shapes. */
export const shapedDialects: readonly string[] = Object.keys(knownShapes);

export async function loadKnownShapes(name: string): Promise<KnownShapes | undefined> {
  return Object.hasOwn(knownShapes, name) ? knownShapes[name]?.() : undefined;
}

const loadedApis = new Map<ApiName, Api>();

/** Remembers the API, because Node resolves a repeated import again, and every request needs it. */
export async function loadApi(name: ApiName): Promise<Api> {
  const loaded = loadedApis.get(name);
  if (loaded !== undefined) return loaded;
  const { api } = await apis[name]();
  loadedApis.set(name, api);
  return api;
}

/** The values of `AssistantMessage.api` whose signatures are base64. Stated here, so that checking loads no API for it. */
export const base64SignatureApis: ReadonlySet<string> = new Set(["anthropic-messages"]);
/** An API, or another one of its endpoints. */
export async function loadEndpoint(name: ApiName, endpoint: string | undefined): Promise<Api> {
  const api = await loadApi(name);
  if (endpoint === undefined) return api;
  const { [endpoint]: other } = api.endpoints ?? {};
  if (other !== undefined) return other;
  throw new DragomanError("model/invalid", `${name} has no endpoint "${endpoint}"`);
}

const openaiEmbeddings = async () => (await import("./openai-chat/embeddings.js")).openaiEmbeddings;

/** The APIs that embed texts. OpenAI has one endpoint for embeddings beside both of its APIs for answers. */
const embeddings: Partial<Record<ApiName, () => Promise<EmbeddingApi>>> = {
  "openai-chat": openaiEmbeddings,
  "openai-responses": openaiEmbeddings,
  google: async () => (await import("./google/embeddings.js")).googleEmbeddings,
  ollama: async () => (await import("./ollama/embeddings.js")).ollamaEmbeddings,
};

/** How an API embeds texts; undefined if it does not. */
export async function loadEmbeddingApi(name: ApiName): Promise<EmbeddingApi | undefined> {
  return embeddings[name]?.();
}

/** Loads all APIs in sequence, so that a server's first caller does not have to wait. */
export async function loadApis(): Promise<void> {
  for (const name of apiNames) await loadApi(name);
}
