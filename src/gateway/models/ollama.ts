import { formatLine } from "../../framing/ndjson.js";
import type { HttpReply, Protocol, Refusal } from "../types.js";
import type { NamedFamily } from "./family.js";
import type { ListedModel, ModelList } from "./model-list.js";
import { readCall } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";

/** `{ error }` */
function refuse({ status, message, headers }: Refusal): HttpReply {
  return { status, headers: { ...headers }, json: { error: message } };
}

const family: NamedFamily = {
  api: "ollama",
  provider: "ollama",
  modelAt: "/model",
  essential: { "/logprobs": false },
  list: "messages",
  roles: ["system", "user", "assistant", "tool"],
  isFunction: ({ type }) => type === "function",
  // Clients read every line as a piece of the answer, so this is an empty piece.
  ping: (model, now) =>
    formatLine({
      model,
      created_at: new Date(now).toISOString(),
      message: { role: "assistant", content: "" },
      done: false,
    }),
};

/** Clients use it to check whether a server supports thinking and tools. */
const VERSION = "0.12.0";

/** Ollama's own API. */
export function ollamaProtocol(models: ModelList, ask: ServeCall): Protocol {
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
            json: { models: (await models.list(caller)).map(tagOf) },
          }),
        },
        {
          method: "POST",
          path: "/api/show",
          scope: "read",
          handle: async (request) => {
            const { model } = await readCall(request, false);
            return { status: 200, json: describeModel(await models.find(request.caller, family, model)) };
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
