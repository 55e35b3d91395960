import { isObject, type JsonObject } from "../../core/json/value.js";

/** Where the pieces of items that we keep whole belong in them. */
const places: Readonly<Record<string, readonly string[]>> = {
  "response.custom_tool_call_input.delta": ["input"],
  "response.mcp_call_arguments.delta": ["arguments"],
  "response.code_interpreter_call_code.delta": ["code"],
  "response.apply_patch_call_operation_diff.delta": ["operation", "diff"],
};

/**
 * Adds a piece to an item that is under way. The finished item arrives whole, so this matters only when it never does:
 * then what had arrived is in the shape that it would have had.
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
