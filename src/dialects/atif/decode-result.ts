import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { undated } from "../../core/message/neutral.js";
import { stableDeviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { instantOf } from "../../core/time.js";
import type { CustomMessage, ToolResultMessage } from "../../core/types.js";
import { decodeContent, isListed } from "./blocks.js";
import { encodeLoneResult, encodeResult, isoOf } from "./encode-step.js";
import { addNotes } from "./notes.js";
import { isApart, OBSERVATION, RESULT_TIMES } from "./wire.js";

/** A tool's result, or an observation that answers no call. */
export type ResultMessage = ToolResultMessage | CustomMessage;

export function resultsOf({ observation }: JsonRecord, at: string): JsonObject[] {
  if (observation === undefined || observation === null) return [];
  if (!isObject(observation)) throw unexpected(`${at}/observation`, "an object with results", observation);
  const { results } = observation;
  if (results === undefined || results === null) return [];
  if (!Array.isArray(results)) throw unexpected(`${at}/observation/results`, "an array of results", results);
  return results.map((result: unknown, index) => {
    if (isObject(result)) return result;
    throw unexpected(`${at}/observation/results/${index}`, "a result", result);
  });
}

/** The times of a step's results, if its `extra` has them in the form that we write. A lone first result has the step's. */
export function resultTimesIn(
  { extra }: JsonRecord,
  results: readonly JsonObject[],
  isLone: boolean,
): (number | undefined)[] | undefined {
  const times = isObject(extra) ? extra[RESULT_TIMES] : undefined;
  if (!Array.isArray(times) || times.length !== results.length) return undefined;
  const read = times.map((time: unknown) => (isString(time) ? instantOf(time) : undefined));
  const isOurs = read.every((time, index) => (time === undefined ? null : isoOf(time)) === times[index]);
  if (isLone && read[0] !== undefined) return undefined;
  return isOurs && read.some((time) => time !== undefined) ? read : undefined;
}

/** The result of a call, whose tool is known if the call is in the same step. */
export function decodeResult(
  result: JsonObject,
  calls: ReadonlyMap<string, string>,
  at: string,
): ResultMessage {
  const { source_call_id: id } = result;
  const message = isString(id)
    ? toolResult(result, { id, name: calls.get(id), at })
    : observationOf(result, at);
  noteResult(message, result, encodeResult(message));
  return message;
}

/** The first result of a step without a message. The step's `extra` names its call if the call is in another step. */
export function decodeLoneResult(result: JsonObject, step: JsonRecord, at: string): ResultMessage {
  const { source_call_id: id } = result;
  const extra = isObject(step["extra"]) ? step["extra"] : {};
  const { tool_call_id: elsewhere, function_name: tool } = extra;
  const name = isString(tool) ? tool : undefined;
  const message = isString(id)
    ? toolResult(result, { id, name, at })
    : isString(elsewhere)
      ? toolResult(result, { id: elsewhere, name, at })
      : observationOf(result, at);
  const time = isString(step["timestamp"]) ? instantOf(step["timestamp"]) : undefined;
  if (time !== undefined) setTime(message, time);
  noteResult(message, result, encodeLoneResult(message));
  if (isString(id) || isApart(step)) addNotes(message, { apart: true });
  return message;
}

function noteResult(message: ResultMessage, written: JsonObject, ours: JsonObject): void {
  const found = stableDeviations(written, ours, { inside: "all", guarded: true });
  addNotes(message, { result: found });
}

export function setTime(message: ResultMessage, time: number): void {
  message.timestamp = time;
  const synthesised = (message.ext?.synthesised ?? []).filter((pointer) => pointer !== "/timestamp");
  const { synthesised: _, ...others } = message.ext ?? {};
  if (synthesised.length > 0) message.ext = { ...others, synthesised };
  else if (Object.keys(others).length > 0) message.ext = others;
  else Reflect.deleteProperty(message, "ext");
}

function toolResult(
  { content, extra }: JsonObject,
  { id, name, at }: { id: string; name: string | undefined; at: string },
): ToolResultMessage {
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: id,
    toolName: name ?? "",
    content: content === "" ? [{ type: "text", text: "" }] : decodeContent(content, `${at}/content`),
    isError: isObject(extra) && extra["is_error"] === true,
    timestamp: 0,
    ext: { synthesised: [...(name === undefined ? ["/toolName"] : []), "/timestamp"] },
  };
  addNotes(message, isListed(content) ? { parts: true } : {});
  return message;
}

function observationOf({ content }: JsonObject, at: string): CustomMessage {
  const blocks = decodeContent(content, `${at}/content`);
  const message: CustomMessage = {
    role: "custom",
    customType: OBSERVATION,
    ...(isString(content) ? { content } : Array.isArray(content) ? { content: blocks } : {}),
    ...undated(),
  };
  addNotes(message, isListed(content) ? { parts: true } : {});
  return message;
}
