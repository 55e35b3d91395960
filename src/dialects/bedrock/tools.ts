import type { Call, CallOptions, ToolSpec } from "../../core/api/provider.js";
import { insertForeign } from "../../core/api/tool-list.js";
import { hasExactly, isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type { AgentMessage } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { objectIn, type ToolChoice, type ToolSpec as WireSpec } from "./wire.js";

/** Undefined for entries that are not functions: the service's tools, and cache points. */
export function readTool(tool: JsonObject): ToolSpec | undefined {
  const wire = objectIn(tool, "toolSpec");
  const parameters = objectIn(wire?.["inputSchema"], "json");
  if (wire === undefined || parameters === undefined || !hasExactly(tool, "toolSpec")) return undefined;
  const { name, description = "", strict } = wire;
  if (typeof name !== "string" || typeof description !== "string") return undefined;
  const spec = { name, description, parameters, ...(typeof strict === "boolean" ? { strict } : {}) };
  return { ...spec, ...extWith({ ...deviations(wire, plainTool(spec)) }) };
}

export function writeTools(
  tools: readonly ToolSpec[] | undefined,
  foreign: unknown,
): JsonObject[] | undefined {
  if (tools === undefined) return undefined;
  const written = tools.map((tool) => ({ toolSpec: restore(plainTool(tool), notesOf(tool)) }));
  return insertForeign(written, foreign);
}

/** The API requires an object schema. */
function plainTool({ name, description, parameters, strict }: ToolSpec): WireSpec {
  const json = parameters["type"] === undefined ? { type: "object", ...parameters } : parameters;
  return {
    name,
    ...(description === "" ? {} : { description }),
    inputSchema: { json },
    ...(strict === undefined ? {} : { strict }),
  };
}

/** Whether a request has tools of any kind, including those declared because the history calls them. */
export function hasTools({ context: { tools = [], messages }, options: { form = {} } }: Call): boolean {
  const foreign = Array.isArray(form["tools"]) ? form["tools"] : [];
  const isDeclared = form["asWritten"] !== true && calledTools(messages).length > 0;
  return tools.length > 0 || foreign.length > 0 || isDeclared;
}

/** The names of all tools that a history calls. */
export function calledTools(messages: readonly AgentMessage[]): string[] {
  const names = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.name] : []))
      : [],
  );
  return [...new Set(names)];
}

/** Declares a tool of which only the name is known. */
export function declareTool(name: string): ToolSpec {
  return { name, description: "", parameters: { type: "object", properties: {} } };
}

/** Undefined for choices that our model cannot represent. */
export function readToolChoice(wire: unknown): CallOptions["toolChoice"] {
  if (!isObject(wire)) return undefined;
  for (const kind of ["auto", "any"] as const) {
    const value = objectIn(wire, kind);
    if (value !== undefined && hasExactly(wire, kind) && hasExactly(value)) return kind;
  }
  const tool = objectIn(wire, "tool");
  if (tool === undefined || !hasExactly(wire, "tool") || !hasExactly(tool, "name")) return undefined;
  return typeof tool["name"] === "string" ? { name: tool["name"] } : undefined;
}

/** The API has no choice of none. */
export function writeToolChoice(choice: Exclude<CallOptions["toolChoice"], undefined | "none">): ToolChoice {
  if (typeof choice === "object") return { tool: { name: choice.name } };
  return choice === "auto" ? { auto: {} } : { any: {} };
}
