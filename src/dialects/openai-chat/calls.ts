import { parseArguments } from "../../core/json/arguments.js";
import { isObject, type JsonObject, sameJson } from "../../core/json/value.js";
import { forget, isAbsent } from "../../core/records/deviation.js";
import type { OpaqueContent, ToolCall } from "../../core/types.js";
import { deviation, notesOf, opaqueIn, restoreNoted, withNotes } from "./notes.js";
import type { CallPart } from "./wire.js";

export function writeCall(call: ToolCall, name: string, hasOwnId: boolean): JsonObject {
  const notes = notesOf(call);
  const plain = plainCall(call, name, argumentsText(call, notes));
  return restoreNoted(
    plain,
    withName(hasOwnId && isAbsent(notes, "id") ? forget(notes, "id", "type") : notes, call),
  );
}

/** A name that the API would refuse is still written unchanged if the request that was read had it. */
function withName(notes: JsonObject, { name }: ToolCall): JsonObject {
  const { function: called } = isObject(notes["inside"]) ? notes["inside"] : {};
  const fields = isObject(called) ? called["fields"] : undefined;
  if (!isObject(called) || !isObject(fields) || !Object.hasOwn(fields, "name")) return notes;
  return { ...notes, inside: { function: { ...called, fields: { ...fields, name } } } };
}

/** A name that the API accepts in a history, for a tool that is no longer offered. */
export function fitName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "_";
}

function plainCall({ id, thoughtSignature }: ToolCall, name: string, text: string): CallPart {
  return {
    id,
    type: "function",
    function: { name, arguments: text },
    ...(thoughtSignature === undefined
      ? {}
      : { extra_content: { google: { thought_signature: thoughtSignature } } }),
  };
}

/** The model's own text if the arguments are unchanged. */
function argumentsText(call: ToolCall, notes: JsonObject): string {
  const { arguments: original } = notes;
  const isSame = typeof original === "string" && sameJson(parseArguments(original).arguments, call.arguments);
  return isSame ? original : JSON.stringify(call.arguments);
}

/** A function call. Calls of other kinds are kept unchanged. */
export function readCall(part: JsonObject): ToolCall | OpaqueContent {
  const { function: called, extra_content } = part;
  if (!isObject(called) || typeof called["name"] !== "string" || !isOptionalText(part["id"])) {
    return opaqueIn("tool_calls", part);
  }
  const { arguments: given } = called;
  const text = typeof given === "string" ? given : "";
  const google = isObject(extra_content) ? extra_content["google"] : undefined;
  const signature = isObject(google) ? google["thought_signature"] : undefined;
  const call: ToolCall = {
    type: "toolCall",
    id: part["id"] ?? "",
    name: called["name"],
    ...(isObject(given) ? { arguments: given } : parseArguments(text)),
    ...(typeof signature === "string" ? { thoughtSignature: signature } : {}),
  };
  const usual = JSON.stringify(call.arguments);
  const written = plainCall(call, fitName(call.name), typeof given === "string" ? given : usual);
  const spelled = typeof given === "string" && given !== usual ? { arguments: given } : {};
  return withNotes(call, { ...spelled, ...deviation(part, written) });
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
