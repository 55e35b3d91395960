import { parseArguments } from "../json/arguments.js";
import { findInexactNumbers } from "../json/numbers.js";
import { isObject, type JsonObject } from "../json/value.js";
import { instantOf, SECONDS_END } from "../time.js";
import { impliedStop } from "./neutral.js";

/*
 * Unambiguous fixes, shared by all dialects. Each function returns the fixed value and adds a sentence to `changes` for
 * every change; a value without one unambiguous fix is returned unchanged.
 */

/** Fixes a message in the model's own shape; valid fields stay. */
export function mendMessage(message: JsonObject, changes: string[]): JsonObject {
  const { role, timestamp, content, isError, stopReason } = message;
  const mended = { ...message };
  if (timestamp !== undefined) mended["timestamp"] = mendTime(timestamp, changes);
  if (role === "assistant" || role === "toolResult") mended["content"] = mendContent(content, changes);
  if (role === "assistant") {
    if (Array.isArray(mended["content"])) {
      mended["content"] = mended["content"].map((block: unknown) => mendCall(block, changes));
    }
    mended["stopReason"] = mendStop(stopReason, mended["content"], changes);
  }
  if (role === "toolResult" && (isError === "true" || isError === "false")) {
    changes.push("The isError was text; a boolean was written.");
    mended["isError"] = isError === "true";
  }
  return Object.fromEntries(Object.entries(mended).filter(([, value]) => value !== undefined));
}

/** Below this, seconds would still look like seconds after multiplication. */
const SECONDS_START = SECONDS_END / 1000;

/** Unix milliseconds of a time in seconds or in ISO text. */
export function mendTime(time: unknown, changes: string[]): unknown {
  if (typeof time === "number") {
    if (time < SECONDS_START || time >= SECONDS_END) return time;
    changes.push("The timestamp was in seconds; milliseconds were written.");
    return time * 1000;
  }
  const ms = typeof time === "string" ? instantOf(time) : undefined;
  if (ms === undefined) return time;
  changes.push("The timestamp was text; milliseconds were written.");
  return ms;
}

/** Content that is a plain string, as blocks. */
export function mendContent(content: unknown, changes: string[]): unknown {
  if (typeof content !== "string") return content;
  changes.push("The text of the content became a text block.");
  return [{ type: "text", text: content }];
}

function mendCall(block: unknown, changes: string[]): unknown {
  if (!isObject(block) || block["type"] !== "toolCall") return block;
  const args = mendArguments(block["arguments"], block["id"], changes);
  return args === block["arguments"] ? block : { ...block, arguments: args };
}

/** A call's arguments as an object, if they are JSON text or missing. */
export function mendArguments(given: unknown, id: unknown, changes: string[]): unknown {
  if (given === undefined || given === null) {
    changes.push(`The call ${JSON.stringify(id)} had no arguments; an empty object was written.`);
    return {};
  }
  if (typeof given !== "string") return given;
  const { arguments: args, argumentsError } = parseArguments(given);
  if (argumentsError !== undefined) return given;
  changes.push(`The arguments of the call ${JSON.stringify(id)} were parsed.`);
  for (const { source } of findInexactNumbers(given)) {
    const rounded = JSON.stringify(Number(source));
    changes.push(`The number ${source} became ${rounded}: a double cannot represent it.`);
  }
  return args;
}

/** Other systems' stop reasons. */
const foreign: ReadonlyMap<string, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["STOP", "stop"],
  ["tool_use", "toolUse"],
  ["tool_calls", "toolUse"],
  ["function_call", "toolUse"],
  ["max_tokens", "length"],
  ["MAX_TOKENS", "length"],
  ["model_context_window_exceeded", "length"],
]);

/** The model's stop reason for another system's, for an answer with these blocks; undefined if unknown. */
export function foreignStop(reason: string, content: unknown): string | undefined {
  const meant = foreign.get(reason);
  return meant === "stop" ? impliedStop(Array.isArray(content) ? content : []) : meant;
}

function mendStop(reason: unknown, content: unknown, changes: string[]): unknown {
  const meant = typeof reason === "string" ? foreignStop(reason, content) : undefined;
  if (meant === undefined) return reason;
  changes.push(`The stop reason ${JSON.stringify(reason)} became "${meant}".`);
  return meant;
}
