import type { Flags, ToolSpec } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, restore } from "../../core/records/deviation.js";
import { notesOf, withNotes } from "./notes.js";
import { arrayAt, type FunctionTool, objectAt, stringIn } from "./wire.js";

/** Functions, and tools that the provider runs itself, which only this API has. */
export interface ReadTools {
  functions: ToolSpec[];
  others: JsonObject[];
}

export function readTools(value: unknown): ReadTools {
  const functions: ToolSpec[] = [];
  const others: JsonObject[] = [];
  for (const [index, entry] of arrayAt(value, "/tools").entries()) {
    const tool = objectAt(entry, `/tools/${index}`);
    if (tool["type"] === "function") {
      const at = others.length === 0 ? undefined : index;
      functions.push(readFunction(tool, at, `/tools/${index}`));
    } else others.push(tool);
  }
  return { functions, others };
}

/** Functions first, unless they were read in another order. */
export function writeTools(
  functions: readonly ToolSpec[] | undefined,
  others: unknown,
  flags: Flags,
): JsonObject[] | undefined {
  const rest = Array.isArray(others) ? others.filter(isObject) : [];
  if (functions === undefined) return rest.length === 0 ? undefined : rest;
  const tools: JsonObject[] = [];
  for (const spec of functions) {
    const { index, ...own } = notesOf(spec);
    while (typeof index === "number" && tools.length < index && rest.length > 0)
      tools.push(...rest.splice(0, 1));
    const { strict, ...plain } = plainFunction(spec);
    tools.push(restore(flags.strict === false ? plain : { ...plain, strict }, own));
  }
  return [...tools, ...rest];
}

function readFunction(tool: JsonObject, index: number | undefined, at: string): ToolSpec {
  const { description, parameters, strict } = tool;
  const spec: ToolSpec = {
    name: stringIn(tool, "name", at),
    description: typeof description === "string" ? description : "",
    parameters: isObject(parameters) ? parameters : {},
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
  return withNotes(spec, { ...deviations(tool, plainFunction(spec)), index });
}

function plainFunction({ name, description, parameters, strict = false }: ToolSpec): FunctionTool {
  // Without `strict: false` the API rewrites the schema.
  return { type: "function", name, description, parameters, strict };
}
