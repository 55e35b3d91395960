import { isObject, type JsonObject } from "../../core/json/value.js";

/** The path of the field to which a delta of an opaque item is appended. */
const places: Readonly<Record<string, readonly string[]>> = {
  "response.custom_tool_call_input.delta": ["input"],
  "response.mcp_call_arguments.delta": ["arguments"],
  "response.code_interpreter_call_code.delta": ["code"],
  "response.apply_patch_call_operation_diff.delta": ["operation", "diff"],
};

/**
 * Appends a delta to an incomplete item. The complete item arrives at the end, so this matters only if the stream is cut
 * off: the item then has the data so far.
 */
export function addPiece(item: JsonObject, payload: JsonObject): void {
  const { type, delta, command_index } = payload;
  if (typeof type !== "string" || typeof delta !== "string") return;
  if (type === "response.shell_call_command.delta") {
    const commands = isObject(item["action"]) ? item["action"]["commands"] : undefined;
    if (!Array.isArray(commands) || typeof command_index !== "number" || command_index > commands.length)
      return;
    const before: unknown = commands[command_index] ?? "";
    if (typeof before === "string") commands[command_index] = before + delta;
    return;
  }
  const path = places[type];
  if (path === undefined) return;
  const [last] = path.slice(-1);
  let target: unknown = item;
  for (const key of path.slice(0, -1)) target = isObject(target) ? target[key] : undefined;
  if (!isObject(target) || last === undefined) return;
  const soFar = target[last];
  target[last] = typeof soFar === "string" ? soFar + delta : delta;
}
