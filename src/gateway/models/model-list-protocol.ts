import type { Gateway, HttpReply, HttpRequest, Protocol, Refusal } from "../types.js";
import { anthropicError } from "./anthropic.js";
import { findModel, type ListedModel, listModels } from "./model-list.js";
import { openAiError } from "./openai-errors.js";

/** `GET /v1/models` is OpenAI's and Anthropic's alike. Anthropic's clients say which version of its API they speak. */
export function modelListProtocol({ runtime }: Gateway): Protocol {
  return {
    http: {
      keyHeaders: ["x-api-key"],
      under: ["/v1"],
      refuse,
      routes: [
        {
          method: "GET",
          path: "/v1/models",
          scope: "read",
          handle: async (request) => ({
            status: 200,
            json: listFor(request, listModels(runtime, request.caller)),
          }),
        },
        {
          method: "GET",
          path: "/v1/models/:id*",
          scope: "read",
          handle: async (request) => {
            const model = findModel(runtime, request.caller, request.params["id"]);
            return { status: 200, json: isAnthropic(request) ? forAnthropic(model) : forOpenAi(model) };
          },
        },
      ],
    },
  };
}

/** Both APIs in one: each client reads what it knows. */
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

function isAnthropic({ headers }: HttpRequest): boolean {
  return headers["anthropic-version"] !== undefined;
}

function listFor(request: HttpRequest, models: readonly ListedModel[]) {
  if (!isAnthropic(request)) return { object: "list", data: models.map(forOpenAi) };
  const ids = models.map(({ id }) => id);
  return {
    data: models.map(forAnthropic),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  };
}

function forOpenAi({ id, owner }: ListedModel) {
  return { id, object: "model", created: 0, owned_by: owner };
}

/** The epoch stands for a date that nobody knows, as Anthropic has it. */
function forAnthropic({ id, title }: ListedModel) {
  return { type: "model", id, display_name: title, created_at: "1970-01-01T00:00:00Z" };
}
