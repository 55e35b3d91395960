import { isObject, type JsonObject } from "../json/value.js";
import { unexpected } from "../records/unexpected.js";
import type { ToolSpec } from "./provider.js";

/** An entry of a request's tools that is not the caller's function, such as a tool that the provider runs. */
interface ForeignTool {
  index: number;
  tool: JsonObject;
}

/** Separates the caller's functions, which `read` recognises, from other tools; `at` points to the list. */
export function readToolList(
  tools: unknown,
  at: string,
  read: (tool: JsonObject) => ToolSpec | undefined,
): { tools?: ToolSpec[]; foreign?: ForeignTool[] } {
  if (tools === undefined) return {};
  if (!Array.isArray(tools)) throw unexpected(at, "a list of tools", tools);
  const foreign: ForeignTool[] = [];
  const functions = tools.flatMap((tool: unknown, index): ToolSpec[] => {
    if (!isObject(tool)) throw unexpected(`${at}/${index}`, "a tool", tool);
    const spec = read(tool);
    if (spec !== undefined) return [spec];
    foreign.push({ index, tool });
    return [];
  });
  return { tools: functions, ...(foreign.length > 0 ? { foreign } : {}) };
}

/** Puts the other tools back at their indexes. */
export function insertForeign(functions: JsonObject[], foreign: unknown): JsonObject[] {
  const tools = [...functions];
  for (const entry of Array.isArray(foreign) ? foreign : []) {
    if (isForeign(entry)) tools.splice(entry.index, 0, entry.tool);
  }
  return tools;
}

function isForeign(value: unknown): value is ForeignTool {
  return isObject(value) && typeof value["index"] === "number" && isObject(value["tool"]);
}
