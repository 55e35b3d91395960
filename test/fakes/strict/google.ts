import type { StreamPayload } from "../../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../google.js";
import { type Received, type StrictApi, TURNS } from "./api.js";
import { seal } from "./seal.js";

function partsOf({ contents }: JsonObject): JsonObject[] {
  const all = Array.isArray(contents) ? contents.filter(isObject) : [];
  return all.flatMap(({ parts }) => (Array.isArray(parts) ? parts.filter(isObject) : []));
}

/** Of what the part says, in whatever order a client writes its fields. */
function signatureOf({ functionCall, text, executableCode }: JsonObject): string {
  const { name, args } = isObject(functionCall) ? functionCall : {};
  const { code } = isObject(executableCode) ? executableCode : {};
  return seal(JSON.stringify([name, args, code, text]));
}

function refusal({ path, body }: Received): string | undefined {
  const [, model = ""] = /\/models\/([^:]+):/.exec(path) ?? [];
  const refused = validateRequest(body, decodeURIComponent(model));
  if (refused !== undefined) return refused;
  const forged = partsOf(body).some(
    (part) => part["thoughtSignature"] !== undefined && part["thoughtSignature"] !== signatureOf(part),
  );
  return forged ? "Thought signature is not valid." : undefined;
}

function turnOf({ body }: Received): number {
  return partsOf(body).filter(({ functionCall }) => functionCall !== undefined).length;
}

function signed(part: JsonObject): JsonObject {
  return { ...part, thoughtSignature: signatureOf(part) };
}

function partsAt(turn: number): JsonObject[] {
  return [
    { text: `Step ${turn} — with care.`, thought: true },
    ...(turn === 2
      ? [
          signed({ executableCode: { language: "PYTHON", code: "print(2)" } }),
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "2\n" } },
        ]
      : []),
    turn < TURNS
      ? signed({ functionCall: { name: "lookup", args: { step: turn } } })
      : signed({ text: `Done after ${TURNS} calls.` }),
  ];
}

const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

function answer({ path }: Received, parts: readonly JsonObject[], isLast: boolean): JsonObject {
  const [, modelVersion = ""] = /\/models\/([^:]+):/.exec(path) ?? [];
  const content = { role: "model", parts };
  return {
    candidates: [{ content, index: 0, ...(isLast ? { finishReason: "STOP" } : {}) }],
    usageMetadata,
    modelVersion: decodeURIComponent(modelVersion),
    responseId: "resp-1",
  };
}

function stream(request: Received): StreamPayload[] {
  const parts = partsAt(turnOf(request));
  return parts.map((part, index) => ({ data: answer(request, [part], index === parts.length - 1) }));
}

export const strictGoogle: StrictApi = {
  model: "gemini-3-pro-preview",
  base: "/v1beta",
  framing: "sse",
  keyOf: (headers) => headers["x-goog-api-key"]?.toString(),
  streams: ({ path }) => path.includes(":streamGenerateContent"),
  refusal,
  error: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  whole: (request) => answer(request, partsAt(turnOf(request)), true),
  stream,
};
