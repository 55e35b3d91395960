import { formatComment } from "../../framing/sse-format.js";
import { notFound } from "../refusals.js";
import type { HttpReply, HttpRequest, Protocol, Refusal } from "../types.js";
import { countTokens } from "./count-tokens.js";
import { unservable } from "./failure.js";
import type { NamedFamily } from "./family.js";
import type { ListedModel, ModelList } from "./model-list.js";
import { readObject } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";

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

/** `{ error: { code, message, status } }` */
function refuse({ status, message, headers }: Refusal): HttpReply {
  const error = { code: status, message, status: statuses.get(status) ?? "INTERNAL" };
  return { status, headers: { ...headers }, json: { error } };
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
  ping: () => formatComment("keep-alive"),
};

/** Gemini's `generateContent` and its like. */
export function googleProtocol(models: ModelList, ask: ServeCall): Protocol {
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
          throw unservable("", "streams are server-sent events here: add ?alt=sse");
        }
        return ask(family, request, { body, model, stream: true });
      case "countTokens":
        return countTokens("google", body, "totalTokens");
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
        // Some clients write a name with a slash straight behind the version, and some use the version `v1`.
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
  return /:(generateContent|streamGenerateContent|countTokens)$/.test(call);
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
