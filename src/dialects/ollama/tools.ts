import type { ToolSpec } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { GUARDED, notesOf, restoreForm, withNotes } from "./notes.js";
import type { WireTool } from "./wire.js";

export function writeTool(tool: ToolSpec): JsonObject {
  const { tool: form, function: fn } = notesOf(tool);
  const written = plainTool(tool);
  return restoreForm({ ...written, function: restoreForm(written.function, fn) }, form);
}

function plainTool({ name, description, parameters }: ToolSpec): WireTool {
  return { type: "function", function: { name, description, parameters } };
}

/** Undefined for tools that are not named functions. */
export function readTool(value: unknown): ToolSpec | undefined {
  if (!isObject(value) || !isObject(value["function"])) return undefined;
  const { name, description, parameters } = value["function"];
  if (typeof name !== "string") return undefined;
  const tool: ToolSpec = {
    name,
    description: typeof description === "string" ? description : "",
    parameters: isObject(parameters) ? parameters : {},
  };
  const written = plainTool(tool);
  return withNotes(tool, {
    tool: deviations({ ...value, function: null }, { ...written, function: null }, GUARDED),
    function: deviations(value["function"], written.function, GUARDED),
  });
}
