import type { Call, ToolSpec } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, restore } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { extWith, notesOf } from "./notes.js";
import type { Tool } from "./wire.js";

/** A tool that the provider runs itself, and its index among the tools. */
interface ForeignTool {
  index: number;
  tool: JsonObject;
}

export function readTools(tools: unknown): { tools?: ToolSpec[]; foreign?: ForeignTool[] } {
  if (tools === undefined) return {};
  if (!Array.isArray(tools)) throw unexpected("/tools", "a list of tools", tools);
  const foreign: ForeignTool[] = [];
  const own = tools.flatMap((tool: unknown, index): ToolSpec[] => {
    if (!isObject(tool)) throw unexpected(`/tools/${index}`, "a tool", tool);
    const spec = readTool(tool);
    if (spec !== undefined) return [spec];
    foreign.push({ index, tool });
    return [];
  });
  return { tools: own, ...(foreign.length > 0 ? { foreign } : {}) };
}

function readTool(wire: JsonObject): ToolSpec | undefined {
  const { type = "custom", name, description = "", input_schema: parameters } = wire;
  if (type !== "custom" && type !== null) return undefined;
  if (typeof name !== "string" || typeof description !== "string" || !isObject(parameters)) return undefined;
  const strict = wire["strict"];
  const spec = { name, description, parameters, ...(typeof strict === "boolean" ? { strict } : {}) };
  return { ...spec, ...extWith({ ...deviations(wire, plainTool(spec)) }) };
}

/** The caller's functions, with the provider's own tools at their indexes, then the tools in `extra`. */
export function writeTools({ context, options }: Call): JsonObject[] | undefined {
  const { tools } = context;
  const foreign = options.form?.["tools"];
  const added = Array.isArray(options.extra?.["tools"]) ? options.extra["tools"].filter(isObject) : [];
  if (tools === undefined) return added.length === 0 ? undefined : added;
  const written = tools.map((tool) => restore(plainTool(tool), notesOf(tool)));
  const others = Array.isArray(foreign) ? foreign.filter(isForeign) : [];
  for (const { index, tool } of others) written.splice(index, 0, tool);
  return [...written, ...added];
}

/** Whether a request has tools of any kind. */
export function hasTools({ context, options }: Call): boolean {
  const lists = [context.tools, options.form?.["tools"], options.extra?.["tools"]];
  return lists.some((list) => Array.isArray(list) && list.length > 0);
}

function plainTool({ name, description, parameters, strict }: ToolSpec): Tool {
  return {
    name,
    ...(description === "" ? {} : { description }),
    input_schema: parameters,
    ...(strict === undefined ? {} : { strict }),
  };
}

function isForeign(value: unknown): value is ForeignTool {
  return isObject(value) && typeof value["index"] === "number" && isObject(value["tool"]);
}
