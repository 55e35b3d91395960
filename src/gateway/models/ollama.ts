import type { JsonObject } from "../../core/json/value.js";
import { formatLine } from "../../framing/ndjson.js";
import type { HttpReply, HttpRequest, HttpRoute, Protocol, Refusal } from "../types.js";
import type { ModelCall, NamedFamily } from "./family.js";
import type { ListedModel, ModelList } from "./model-list.js";
import { readCall, readObject, requireModel } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";
import type { ServeEmbedding } from "./serve-embedding.js";

/** `{ error }` */
function refuse({ status, message, headers }: Refusal): HttpReply {
  return { status, headers: { ...headers }, json: { error: message } };
}

/** Without content. Clients read every line as a piece of the answer. */
type Empty = { response: "" } | { message: { role: "assistant"; content: "" } };

const emptyMessage: Empty = { message: { role: "assistant", content: "" } };
const emptyResponse: Empty = { response: "" };

function emptyLine(model: string, now: number, empty: Empty) {
  return { model, created_at: new Date(now).toISOString(), ...empty };
}

const family: NamedFamily = {
  api: "ollama",
  provider: "ollama",
  modelAt: "/model",
  essential: { "/logprobs": false },
  list: "messages",
  roles: ["system", "user", "assistant", "tool"],
  isFunction: ({ type }) => type === "function",
  definitions: () => ["/function"],
  // Clients read every line as a piece of the answer, so this is an empty piece.
  ping: (model, now) => formatLine({ ...emptyLine(model, now, emptyMessage), done: false }),
  idleReply: (call, now) => loadReply(call, now, call.body["messages"], emptyMessage),
};

/** `/api/generate`: what only a server of the same API can do with a prompt changes the answer. */
const generateFamily: NamedFamily = {
  ...family,
  endpoint: "generate",
  essential: { "/logprobs": false, "/suffix": "", "/template": "", "/raw": false, "/context": [] },
  list: "prompt",
  ping: (model, now) => formatLine({ ...emptyLine(model, now, emptyResponse), done: false }),
  idleReply: (call, now) => loadReply(call, now, call.body["prompt"], emptyResponse),
};

/** `0`, `"0"` or `"0s"` */
const ZERO = /^0+(?:\.0+)?[a-z]*$/;

/**
 * The answer to a request without a prompt, which loads a model, or removes it from memory if `keep_alive` is 0. The gateway
 * has no models in memory, so both are done at once.
 */
function loadReply(
  { body, model }: ModelCall,
  now: number,
  prompt: unknown,
  empty: Empty,
): JsonObject | undefined {
  const isEmpty = prompt === undefined || prompt === null || prompt === "";
  if (!isEmpty && !(Array.isArray(prompt) && prompt.length === 0)) return undefined;
  const isUnload = ZERO.test(String(body["keep_alive"] ?? ""));
  return { ...emptyLine(model, now, empty), done: true, done_reason: isUnload ? "unload" : "load" };
}

/** Clients use it to check whether a server supports thinking and tools. */
const VERSION = "0.12.0";

/** Ollama's own API. */
export function ollamaProtocol(models: ModelList, ask: ServeCall, embed: ServeEmbedding): Protocol {
  const post = (path: string, handle: HttpRoute["handle"]): HttpRoute => {
    return { method: "POST", path, scope: "chat", handle };
  };
  const get = (path: string, json: (request: HttpRequest) => Promise<object>): HttpRoute => {
    const handle = async (request: HttpRequest) => ({ status: 200, json: await json(request) });
    return { method: "GET", path, scope: "read", handle };
  };
  const embedWith = (endpoint: string) => async (request: HttpRequest) => {
    const { body, model } = await readCall(request, false);
    return embed(family, request, { body, model, endpoint });
  };
  return {
    http: {
      under: ["/api"],
      refuse,
      routes: [
        post("/api/chat", async (request) => ask(family, request, await readCall(request, true))),
        post("/api/generate", async (request) => ask(generateFamily, request, await readCall(request, true))),
        post("/api/embed", embedWith("embed")),
        post("/api/embeddings", embedWith("embeddings")),
        {
          ...post("/api/show", async (request) => {
            const { name, model = name } = await readObject(request);
            const id = requireModel(model);
            return { status: 200, json: describeModel(await models.find(request.caller, family, id)) };
          }),
          scope: "read",
        },
        get("/api/tags", async ({ caller }) => ({ models: (await models.list(caller)).map(tagOf) })),
        // The models in memory, of which a gateway has none.
        get("/api/ps", async () => ({ models: [] })),
        get("/api/version", async () => ({ version: VERSION })),
      ],
    },
  };
}

function detailsOf({ owner }: ListedModel) {
  const details = { parent_model: "", format: "", parameter_size: "", quantization_level: "" };
  return { ...details, family: owner, families: [owner] };
}

function timeOf({ created }: ListedModel): string {
  return new Date(created).toISOString();
}

function tagOf(model: ListedModel) {
  const { id } = model;
  return { name: id, model: id, modified_at: timeOf(model), size: 0, digest: "", details: detailsOf(model) };
}

function describeModel(model: ListedModel) {
  const { card, title, owner } = model;
  const window = card.contextWindow === undefined ? {} : { [`${owner}.context_length`]: card.contextWindow };
  return {
    modelfile: "",
    parameters: "",
    template: "",
    details: detailsOf(model),
    model_info: { "general.architecture": owner, "general.name": title, ...window },
    capabilities: [
      "completion",
      ...(model.usesClientTools && card.tools !== false ? ["tools"] : []),
      ...(card.input.includes("image") ? ["vision"] : []),
      ...(card.thinking ? ["thinking"] : []),
    ],
    modified_at: timeOf(model),
  };
}
