import type { StreamPayload } from "../../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../google.js";
import type { Received, StrictApi } from "./api.js";
import { objectsIn, offered, type Situation, type Turn } from "./script.js";
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

/** What Google documents for a call that another model made. */
const MADE_ELSEWHERE = "skip_thought_signature_validator";

function refusal({ path, body }: Received): string | undefined {
  const [, model = ""] = /\/models\/([^:]+):/.exec(path) ?? [];
  const refused = validateRequest(body, decodeURIComponent(model));
  if (refused !== undefined) return refused;
  const forged = partsOf(body).some(
    ({ thoughtSignature: signature, ...part }) =>
      signature !== undefined && signature !== MADE_ELSEWHERE && signature !== signatureOf(part),
  );
  return forged ? "Thought signature is not valid." : undefined;
}

function situation({ body }: Received): Situation {
  const parts = partsOf(body);
  return {
    calls: parts.filter(({ functionCall }) => functionCall !== undefined).length,
    results: parts.flatMap(({ functionResponse }) =>
      isObject(functionResponse) ? [JSON.stringify(functionResponse["response"])] : [],
    ),
    tools: objectsIn(body["tools"])
      .flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations))
      .map(({ name, parameters, parametersJsonSchema }) => offered(name, parametersJsonSchema ?? parameters)),
  };
}

function signed(part: JsonObject): JsonObject {
  return { ...part, thoughtSignature: signatureOf(part) };
}

function partsAt({ thinking, calls, text, extra }: Turn): JsonObject[] {
  const called = calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }));
  return [
    { text: thinking, thought: true },
    ...(extra === "server tool"
      ? [
          signed({ executableCode: { language: "PYTHON", code: "print(2)" } }),
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "2\n" } },
        ]
      : []),
    ...(text === "" ? [] : [signed({ text })]),
    // Of parallel calls only the first is signed.
    ...called.map((part, index) => (index === 0 ? signed(part) : part)),
  ];
}

const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

function answer(
  { path }: Received,
  { number }: Turn,
  parts: readonly JsonObject[],
  isLast: boolean,
): JsonObject {
  const [, modelVersion = ""] = /\/models\/([^:]+):/.exec(path) ?? [];
  const content = { role: "model", parts };
  return {
    candidates: [{ content, index: 0, ...(isLast ? { finishReason: "STOP" } : {}) }],
    usageMetadata,
    modelVersion: decodeURIComponent(modelVersion),
    responseId: `resp-${number}`,
  };
}

function stream(request: Received, turn: Turn): StreamPayload[] {
  const parts = partsAt(turn);
  return parts.map((part, index) => ({ data: answer(request, turn, [part], index === parts.length - 1) }));
}

export const strictGoogle: StrictApi = {
  model: "gemini-3-pro-preview",
  base: "/v1beta",
  framing: "sse",
  keyOf: (headers) => headers["x-goog-api-key"]?.toString(),
  streams: ({ path }) => path.includes(":streamGenerateContent"),
  refusal,
  error: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  situation,
  whole: (request, turn) => answer(request, turn, partsAt(turn), true),
  stream,
};
