import type { CallOptions, ToolSpec } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, restore } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { extWith, notesOf } from "./notes.js";
import { hasExactly, type Tool, type ToolChoice } from "./wire.js";

/** A tool that the provider runs itself, and where it stands among the tools. */
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
  const spec = { name, description, parameters };
  return { ...spec, ...extWith({ ...deviations(wire, plainTool(spec)) }) };
}

export function writeTools(
  tools: readonly ToolSpec[] | undefined,
  foreign: unknown,
): JsonObject[] | undefined {
  if (tools === undefined) return undefined;
  const written = tools.map((tool) => restore(plainTool(tool), notesOf(tool)));
  const others = Array.isArray(foreign) ? foreign.filter(isForeign) : [];
  for (const { index, tool } of others) written.splice(index, 0, tool);
  return written;
}

function plainTool({ name, description, parameters }: ToolSpec): Tool {
  return { name, ...(description === "" ? {} : { description }), input_schema: parameters };
}

function isForeign(value: unknown): value is ForeignTool {
  return isObject(value) && typeof value["index"] === "number" && isObject(value["tool"]);
}

/** A choice that says no more than we have words for. */
export function readToolChoice(wire: unknown): CallOptions["toolChoice"] {
  if (!isObject(wire)) return undefined;
  const { type, name } = wire;
  if (type === "tool" && typeof name === "string" && hasExactly(wire, "type", "name")) return { name };
  if (!hasExactly(wire, "type")) return undefined;
  return type === "auto" || type === "any" || type === "none" ? type : undefined;
}

export function writeToolChoice(choice: NonNullable<CallOptions["toolChoice"]>): ToolChoice {
  return typeof choice === "string" ? { type: choice } : { type: "tool", name: choice.name };
}

/** Whether a tool must be called. The API refuses to think then. */
export function forcesTool(choice: CallOptions["toolChoice"]): boolean {
  return choice !== undefined && choice !== "auto" && choice !== "none";
}
