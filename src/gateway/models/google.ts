import { isObject, type JsonObject } from "../../core/json/value.js";
import { formatComment } from "../../framing/sse-format.js";
import { notFound } from "../refusals.js";
import type { HttpReply, HttpRequest, Protocol, Refusal } from "../types.js";
import { countTokens } from "./count-tokens.js";
import { unservable } from "./failure.js";
import type { NamedFamily } from "./family.js";
import type { ListedModel, ModelList } from "./model-list.js";
import { readObject } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";
import type { ServeEmbedding } from "./serve-embedding.js";

const statuses = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [409, "ABORTED"],
  [413, "INVALID_ARGUMENT"],
  [429, "RESOURCE_EXHAUSTED"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
]);

/** `{ error: { code, message, status, details } }` */
function refuse(refusal: Refusal): HttpReply {
  const { status, headers } = refusal;
  return { status, headers: { ...headers }, json: { error: googleError(refusal) } };
}

export function googleError({ status, message, details, headers = {} }: Refusal): JsonObject {
  const { reported } = isObject(details) ? details : {};
  const own = isObject(reported) ? reported : {};
  const shown = own["details"] ?? retryInfo(headers["retry-after"]);
  return {
    code: status,
    message,
    status: own["status"] ?? statuses.get(status) ?? "INTERNAL",
    ...(shown === undefined ? {} : { details: shown }),
  };
}

/** Google's clients read the delay here, and not in the header. */
function retryInfo(seconds: string | undefined): JsonObject[] | undefined {
  if (seconds === undefined) return undefined;
  return [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }];
}

const family: NamedFamily = {
  api: "google",
  provider: "google",
  modelAt: "/modelVersion",
  essential: {
    "/cachedContent": null,
    "/generationConfig/candidateCount": 1,
    "/generationConfig/responseModalities": ["TEXT"],
  },
  fulfilled: { "/generationConfig/thinkingConfig/includeThoughts": true },
  list: "contents",
  roles: ["user", "model", "function"],
  isFunction: (tool) => Object.keys(tool).every((key) => key === "functionDeclarations"),
  definitions: ({ functionDeclarations: list }) =>
    Array.isArray(list) ? list.map((_, index) => `/functionDeclarations/${index}`) : [],
  schemaFields: ["parameters", "parametersJsonSchema"],
  ping: () => formatComment("keep-alive"),
};

/** Gemini's `generateContent`, `streamGenerateContent`, `countTokens` and embeddings. */
export function googleProtocol(models: ModelList, ask: ServeCall, embed: ServeEmbedding): Protocol {
  async function call(request: HttpRequest): Promise<HttpReply> {
    const { call = "" } = request.params;
    const colon = call.lastIndexOf(":");
    const [model, method] = [call.slice(0, Math.max(0, colon)), call.slice(colon + 1)];
    const body = await readObject(request);
    switch (method) {
      case "generateContent":
        return ask(family, request, { body, model, stream: false });
      case "streamGenerateContent":
        if (request.url.searchParams.get("alt") !== "sse") {
          throw unservable("", "streams are only available as server-sent events: add ?alt=sse");
        }
        return ask(family, request, { body, model, stream: true });
      case "countTokens":
        return countTokens("google", body, "totalTokens");
      case "embedContent":
      case "batchEmbedContents":
        return embed(family, request, { body, model, endpoint: method });
      default:
        throw notFound(`there is no method "${method}"`);
    }
  }

  return {
    http: {
      keyHeaders: ["x-goog-api-key"],
      under: ["/v1beta"],
      refuse,
      routes: [
        // Some clients put a name with a slash directly after the version, and some use the version `v1`.
        ...["/v1beta/models/:call*", "/v1beta/:call*", "/v1/models/:call*", "/v1/:call*"].map((path) => ({
          method: "POST" as const,
          path,
          scope: "chat" as const,
          accepts: ({ call = "" }) => path.startsWith("/v1beta/models/") || isCall(call),
          handle: call,
        })),
        {
          method: "GET",
          path: "/v1beta/models",
          scope: "read",
          handle: async ({ caller }) => ({ status: 200, json: googleList(await models.list(caller)) }),
        },
        {
          method: "GET",
          path: "/v1beta/models/:model*",
          scope: "read",
          handle: async ({ caller, params }) => ({
            status: 200,
            json: googleModel(await models.find(caller, family, params["model"])),
          }),
        },
      ],
    },
  };
}

function isCall(call: string): boolean {
  return /:(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/.test(call);
}

export function googleList(models: readonly ListedModel[]) {
  return { models: models.map(googleModel) };
}

export function googleModel({ id, title, card }: ListedModel) {
  return {
    name: `models/${id}`,
    version: "",
    displayName: title,
    ...(card.contextWindow === undefined ? {} : { inputTokenLimit: card.contextWindow }),
    ...(card.maxOutput === undefined ? {} : { outputTokenLimit: card.maxOutput }),
    supportedGenerationMethods: ["generateContent", "countTokens"],
    thinking: card.thinking,
  };
}
