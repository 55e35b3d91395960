import type { Call, ToolSpec } from "../../core/api/provider.js";
import { insertForeign } from "../../core/api/tool-list.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, restore } from "../../core/records/deviation.js";
import { extWith, notesOf } from "./notes.js";
import type { Tool } from "./wire.js";

/** Undefined for tools that the provider runs itself. */
export function readTool(wire: JsonObject): ToolSpec | undefined {
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
  const added = Array.isArray(options.extra?.["tools"]) ? options.extra["tools"].filter(isObject) : [];
  if (tools === undefined) return added.length === 0 ? undefined : added;
  const written = tools.map((tool) => restore(plainTool(tool), notesOf(tool)));
  return [...insertForeign(written, options.form?.["tools"]), ...added];
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
