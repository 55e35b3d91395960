import type { HttpReply, HttpRequest, Protocol, Refusal } from "../types.js";
import { anthropicError } from "./anthropic.js";
import type { NamedFamily } from "./family.js";
import { googleList, googleModel } from "./google.js";
import type { ListedModel, ModelList } from "./model-list.js";
import { openAiError } from "./openai-errors.js";

/** How one API writes models. */
interface Form {
  family: Pick<NamedFamily, "api" | "provider">;
  one(model: ListedModel): object;
  list(models: readonly ListedModel[]): object;
}

const openAi: Form = {
  family: { api: "openai-chat", provider: "openai" },
  one: ({ id, owner, created }) => ({
    id,
    object: "model",
    created: Math.floor(created / 1000),
    owned_by: owner,
  }),
  list: (models) => ({ object: "list", data: models.map(openAi.one) }),
};

const anthropic: Form = {
  family: { api: "anthropic", provider: "anthropic" },
  one: ({ id, title, created }) => ({
    type: "model",
    id,
    display_name: title,
    created_at: new Date(created).toISOString(),
  }),
  list: (models) => ({
    data: models.map(anthropic.one),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  }),
};

const google: Form = { family: { api: "google", provider: "google" }, one: googleModel, list: googleList };

/** Three APIs have `GET /v1/models`. Clients of Anthropic and Google are recognised by their headers. */
function formFor({ headers }: HttpRequest): Form {
  if (headers["anthropic-version"] !== undefined) return anthropic;
  return headers["x-goog-api-key"] === undefined && headers["x-goog-api-client"] === undefined
    ? openAi
    : google;
}

export function modelListProtocol(models: ModelList): Protocol {
  return {
    http: {
      keyHeaders: ["x-api-key", "x-goog-api-key"],
      under: ["/v1"],
      refuse,
      routes: [
        {
          method: "GET",
          path: "/v1/models",
          scope: "read",
          handle: async (request) => ({
            status: 200,
            json: formFor(request).list(await models.list(request.caller)),
          }),
        },
        {
          method: "GET",
          path: "/v1/models/:id*",
          scope: "read",
          handle: async (request) => {
            const { family, one } = formFor(request);
            return {
              status: 200,
              json: one(await models.find(request.caller, family, request.params["id"])),
            };
          },
        },
      ],
    },
  };
}

/** One error format for all APIs: each client reads the fields that it knows. */
function refuse(refusal: Refusal, requestId: string): HttpReply {
  const { status, reason, message, headers } = refusal;
  return {
    status,
    headers: { ...headers },
    json: {
      type: "error",
      error: { ...openAiError(refusal), ...anthropicError(reason, message) },
      request_id: requestId,
    },
  };
}
