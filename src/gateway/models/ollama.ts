import { formatLine } from "../../framing/ndjson.js";
import type { Gateway, HttpReply, Protocol, Refusal } from "../types.js";
import type { NamedFamily } from "./family.js";
import { findModel, type ListedModel, listModels } from "./model-list.js";
import { readCall } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";

/** `{ error }` */
function refuse({ status, message, headers }: Refusal): HttpReply {
  return { status, headers: { ...headers }, json: { error: message } };
}

const family: NamedFamily = {
  api: "ollama",
  modelAt: "/model",
  essential: { "/format": "", "/logprobs": false },
  isFunction: ({ type }) => type === "function",
  // Clients take every line for a piece of the answer, so it is one without words.
  ping: (model, now) =>
    formatLine({
      model,
      created_at: new Date(now).toISOString(),
      message: { role: "assistant", content: "" },
      done: false,
    }),
};

/** Clients look at it to see whether a server is recent enough to think and to call tools. */
const VERSION = "0.12.0";

/** Nobody knows when the models of others changed. */
const EPOCH = "1970-01-01T00:00:00Z";

/** Ollama's own API. */
export function ollamaProtocol({ runtime }: Gateway, ask: ServeCall): Protocol {
  return {
    http: {
      under: ["/api"],
      refuse,
      routes: [
        {
          method: "POST",
          path: "/api/chat",
          scope: "chat",
          handle: async (request) => ask(family, request, await readCall(request, true)),
        },
        {
          method: "GET",
          path: "/api/tags",
          scope: "read",
          handle: async ({ caller }) => ({
            status: 200,
            json: { models: listModels(runtime, caller).map(tagOf) },
          }),
        },
        {
          method: "POST",
          path: "/api/show",
          scope: "read",
          handle: async (request) => {
            const { model } = await readCall(request, false);
            return { status: 200, json: describeModel(findModel(runtime, request.caller, model)) };
          },
        },
        {
          method: "GET",
          path: "/api/version",
          scope: "read",
          handle: async () => ({ status: 200, json: { version: VERSION } }),
        },
      ],
    },
  };
}

function detailsOf({ owner }: ListedModel) {
  const details = { parent_model: "", format: "", parameter_size: "", quantization_level: "" };
  return { ...details, family: owner, families: [owner] };
}

function tagOf(model: ListedModel) {
  const { id } = model;
  return { name: id, model: id, modified_at: EPOCH, size: 0, digest: "", details: detailsOf(model) };
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
      ...(model.usesClientTools ? ["tools"] : []),
      ...(card.input.includes("image") ? ["vision"] : []),
      ...(card.thinking ? ["thinking"] : []),
    ],
    modified_at: EPOCH,
  };
}
