import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import type { AssistantContent, OpaqueContent, ToolCall } from "../../core/types.js";
import { GUARDED, notesOf, restoreForm, withNotes } from "./notes.js";
import { NAME, type WireCall } from "./wire.js";

/** The calls of an answer, as `tool_calls`. */
export function writeCalls(content: readonly AssistantContent[]): { tool_calls?: JsonObject[] } {
  const calls = content.map(writeCall).filter((call) => call !== undefined);
  return calls.length > 0 ? { tool_calls: calls } : {};
}

function writeCall(block: AssistantContent): JsonObject | undefined {
  if (block.type === "opaque")
    return block.dialect === NAME && isObject(block.value) ? block.value : undefined;
  if (block.type !== "toolCall") return undefined;
  const { call, function: fn } = notesOf(block);
  const written = plainCall(block);
  return restoreForm({ ...written, function: restoreForm(written.function, fn) }, call);
}

function plainCall(call: ToolCall): WireCall {
  return {
    ...(hasNoId(call) || call.id === "" ? {} : { id: call.id }),
    function: { name: call.name, arguments: call.arguments },
  };
}

/** Whether we created the call's id because the server sent none. */
export function hasNoId(block: AssistantContent): boolean {
  return block.type === "toolCall" && notesOf(block)["noId"] === true;
}

/** A function call. Calls of another shape are kept unchanged. */
export function readCall(value: unknown, idOf: (id: string | undefined, name: string) => string) {
  if (!isObject(value) || !isObject(value["function"])) return opaque(value);
  const { name, arguments: given } = value["function"];
  if (typeof name !== "string" || !(isObject(given) || given === undefined || given === null)) {
    return opaque(value);
  }
  const id = typeof value["id"] === "string" && value["id"] !== "" ? value["id"] : undefined;
  const call: ToolCall = { type: "toolCall", id: idOf(id, name), name, arguments: given ?? {} };
  return noteCall(id === undefined ? withNotes(call, { noId: true }) : call, value, value["function"]);
}

/** Notes how a call was written. */
function noteCall(call: ToolCall, value: JsonObject, fn: JsonObject): ToolCall {
  const written = plainCall(call);
  return withNotes(call, {
    call: deviations({ ...value, function: null }, { ...written, function: null }, GUARDED),
    function: deviations(fn, written.function, GUARDED),
  });
}

function opaque(value: unknown): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}
