import type { JsonRecord } from "../../core/dialect.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import {
  apiOfProvider,
  SignatureReader,
  type SignedKind,
  signedApi,
} from "../../core/message/provider-metadata.js";
import { emptyUsage } from "../../core/message/usage.js";
import { differencesOf } from "../../core/records/differences.js";
import type {
  AssistantContent,
  AssistantMessage,
  StopReason,
  ToolResultMessage,
  Usage,
} from "../../core/types.js";
import { type Origin, readAnswerPart } from "./blocks.js";
import { answerInfo } from "./encode-answer.js";
import { type Before, createdIn, idAfter, partFrame } from "./frame.js";
import { extWith, type KeptPart, keptNotes, objectIn } from "./notes.js";
import { partsOf, withoutParts } from "./parts.js";
import { inOrder, writeOrder } from "./result-order.js";
import { readToolPart } from "./tool-result.js";
import { infoOf, UNKNOWN } from "./wire.js";

/** The parts that can have a signature. */
const SIGNED: ReadonlyMap<unknown, SignedKind> = new Map([
  ["text", "text"],
  ["reasoning", "thinking"],
  ["tool", "toolCall"],
]);

/** An answer, and the results of its calls. */
export function readAnswer(
  record: JsonRecord,
  at: string,
  before: Before,
): [AssistantMessage, ...ToolResultMessage[]] {
  const info = infoOf(record);
  const { kept, others } = partsOf(record, at);
  const base = readInfo(info, signerOf(others) ?? apiOfProvider(info["providerID"]));
  const origin: Origin = { api: base.message.api, time: createdIn(info) ?? 0 };
  const signatures = new SignatureReader(origin.api);
  const ids = { id: idAfter(base.message, before), sessionID: before.sessionID };
  const content: AssistantContent[] = [];
  const byCall = new Map<AssistantContent, ToolResultMessage>();
  for (const { part, place } of others) {
    const frame = partFrame(info, ids, place);
    const tool = readToolPart(part, frame, origin, signatures);
    const block = tool?.call ?? readAnswerPart(part, frame, origin, signatures);
    content.push(block);
    if (tool?.result !== undefined) byCall.set(block, tool.result);
  }
  const results = inOrder(record, [...byCall.values()]);
  const stop = readStop(info);
  const message: AssistantMessage = { ...base.message, content, stopReason: stop ?? impliedStop(content) };
  const synthesised = [...base.synthesised, ...(stop === undefined ? ["/stopReason"] : [])];
  const ours = answerInfo({ ...message, ...extWith({}, synthesised) }, results, before);
  const expected = { info: ours, ...writeOrder(byCall, results) };
  const notes = { ...differencesOf(withoutParts(record), expected), ...keptNotes(kept) };
  return [{ ...message, ...extWith(notes, synthesised) }, ...results];
}

/** The API whose signatures an answer has. */
function signerOf(parts: readonly KeptPart[]): string | undefined {
  for (const { part } of parts) {
    const kind = SIGNED.get(part["type"]);
    const api = kind && signedApi(part["metadata"], kind);
    if (api !== undefined) return api;
  }
  return undefined;
}

/** An answer without its content. */
function readInfo(
  info: JsonObject,
  api: string | undefined,
): { message: AssistantMessage; synthesised: string[] } {
  const { id, providerID, modelID, error } = info;
  const created = createdIn(info);
  const isKnown = (name: unknown): name is string => isString(name) && name !== UNKNOWN;
  const usage = readUsage(info);
  const text = objectIn(objectIn(error)["data"])["message"];
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: api ?? "",
    provider: isKnown(providerID) ? providerID : "",
    model: isKnown(modelID) ? modelID : "",
    usage: usage ?? emptyUsage(),
    stopReason: "stop",
    ...(isString(text) && text !== "" ? { errorMessage: text } : {}),
    timestamp: created ?? 0,
    ...(isString(id) ? { id } : {}),
  };
  const synthesised = [
    ...(api === undefined ? ["/api"] : []),
    ...(isKnown(providerID) ? [] : ["/provider"]),
    ...(isKnown(modelID) ? [] : ["/model"]),
    ...(usage === undefined ? ["/usage"] : COST_PARTS),
    ...(created === undefined ? ["/timestamp"] : []),
  ];
  return { message, synthesised };
}

/** opencode states only the whole cost. */
const COST_PARTS = ["input", "output", "cacheRead", "cacheWrite"].map((part) => `/usage/cost/${part}`);

function readUsage({ tokens, cost }: JsonObject): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  const cache = objectIn(tokens["cache"]);
  const input = count(tokens["input"]);
  const output = count(tokens["output"]) + count(tokens["reasoning"]);
  const [cacheRead, cacheWrite] = [count(cache["read"]), count(cache["write"])];
  const { total } = tokens;
  const totalTokens = isNumber(total) ? total : input + output + cacheRead + cacheWrite;
  const costs = { ...emptyUsage().cost, total: count(cost) };
  return { input, output, cacheRead, cacheWrite, totalTokens, cost: costs };
}

function count(value: unknown): number {
  return isNumber(value) ? value : 0;
}

/** Undefined if the answer does not record one. */
function readStop({ error, finish }: JsonObject): StopReason | undefined {
  if (isObject(error)) {
    if (error["name"] === "MessageAbortedError") return "aborted";
    return error["name"] === "MessageOutputLengthError" ? "length" : "error";
  }
  switch (finish) {
    case "stop":
    case "length":
      return finish;
    case "tool-calls":
      return "toolUse";
    case "content-filter":
    case "error":
      return "error";
    default:
      return isString(finish) ? "stop" : undefined;
  }
}
