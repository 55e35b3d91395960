import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

/** One payload of a stream, or an unstreamed response. */
export interface Chunk {
  parts: JsonObject[];
  finishReason?: string;
  /** Further fields of the candidate. */
  candidate: JsonObject;
  /** Candidates after the first, if the request asked for several. */
  others: JsonObject[];
  usage?: JsonObject;
  promptFeedback?: JsonObject;
  error?: JsonObject;
  /** Further fields of the payload: `responseId`, `modelVersion`, `createTime`. */
  rest: JsonObject;
}

export function readChunk(payload: unknown): Chunk {
  if (!isObject(payload)) throw bad("a payload is not an object");
  refuseOtherApis(payload);
  const { candidates = [], usageMetadata, promptFeedback, error, ...rest } = payload;
  if (!Array.isArray(candidates) || !candidates.every(isObject))
    throw bad("candidates is not a list of objects");
  const first = candidates.find(({ index }) => index === undefined || index === 0) ?? {};
  const { content, finishReason, index: _, ...candidate } = first;
  return {
    ...partsOf(content),
    ...(typeof finishReason === "string" ? { finishReason } : {}),
    others: candidates.filter((one) => one !== first),
    ...(isObject(usageMetadata) ? { usage: usageMetadata } : {}),
    ...(isObject(promptFeedback) ? { promptFeedback } : {}),
    ...(error === undefined ? {} : { error: failureOf(error) }),
    candidate,
    rest,
  };
}

function failureOf(error: unknown): JsonObject {
  if (isObject(error)) return error;
  return { message: typeof error === "string" ? error : JSON.stringify(error) };
}

function partsOf(content: unknown): { parts: JsonObject[] } {
  if (content === undefined) return { parts: [] };
  const parts = isObject(content) ? (content["parts"] ?? []) : undefined;
  if (!Array.isArray(parts) || !parts.every(isObject))
    throw bad("the content's parts are not a list of objects");
  return { parts };
}

/** Fields that identify the streams of Google's other APIs. */
const OTHER_APIS: readonly [string, string][] = [
  ["event_type", "Interactions"],
  ["serverContent", "Live"],
  ["setupComplete", "Live"],
  ["sessionResumptionUpdate", "Live"],
];

function refuseOtherApis(payload: JsonObject): void {
  const found = OTHER_APIS.find(([field]) => Object.hasOwn(payload, field));
  if (found === undefined) return;
  throw new DragomanError(
    "provider/bad-response",
    `this is a stream of Google's ${found[1]} API; only generateContent is supported`,
    { hint: "call models/…:streamGenerateContent", details: { retryable: false } },
  );
}

function bad(message: string): DragomanError {
  return new DragomanError("provider/bad-response", message, { details: { retryable: false } });
}
