import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { Refusal } from "../fakes/refusal.js";
import type { Call, OfferedTool } from "../fakes/strict/script.js";

/** What the model wants done, in terms of files and commands. */
export type Wish =
  | { type: "read"; path: string }
  | { type: "write"; path: string; content: string }
  | { type: "run"; command: string };

/**
 * Calls a tool that can do this. Programs call their tools differently, so that a tool is recognised by what it accepts: a
 * command is a shell, a path with content writes, a path under a name with "read" reads, and "patch" accepts a patch. A shell does all of it.
 */
export function callFor(wish: Wish, tools: readonly OfferedTool[]): Call {
  for (const tool of tools) {
    const call = ownCall(wish, tool);
    if (call !== undefined) return call;
  }
  const command = commandFor(wish);
  const shell = wish.type === "run" ? undefined : callFor({ type: "run", command }, tools);
  if (shell !== undefined) return shell;
  throw new Refusal(`no tool can ${wish.type}: ${tools.map(({ name }) => name).join(", ")}`);
}

function ownCall(wish: Wish, tool: OfferedTool): Call | undefined {
  const { name, namespace, parameters } = tool;
  const own = { name, ...(namespace === undefined ? {} : { namespace }) };
  if (parameters === undefined || isTextTool(parameters)) {
    if (wish.type !== "write" || !/patch/.test(name)) return undefined;
    const patch = patchFor(wish);
    return { ...own, arguments: parameters === undefined ? patch : { input: patch } };
  }
  const values = valuesFor(wish, tool, parameters);
  return values === undefined ? undefined : { ...own, arguments: complete(parameters, values) };
}

function isTextTool(parameters: JsonObject): boolean {
  return Object.keys(propertiesOf(parameters)).join() === "input";
}

function valuesFor(wish: Wish, { name }: OfferedTool, parameters: JsonObject): JsonObject | undefined {
  const find = (pattern: RegExp) => Object.keys(propertiesOf(parameters)).find((key) => pattern.test(key));
  const path = find(/^(file_?path|path|absolute_path)$/i);
  const content = find(/^(content|contents|file_text)$/);
  const command = find(/^(command|cmd)$/);
  switch (wish.type) {
    case "run":
      if (command === undefined || !/shell|bash|exec|command|terminal/i.test(name)) return undefined;
      return { [command]: asCommand(wish.command, propertiesOf(parameters)[command]) };
    case "write":
      if (path === undefined || content === undefined || !/write|create/i.test(name)) return undefined;
      return { [path]: wish.path, [content]: wish.content };
    case "read":
      if (path === undefined || !/read/i.test(name) || content !== undefined) return undefined;
      return { [path]: wish.path };
  }
}

/** A shell accepts one text, or a program and its arguments. */
function asCommand(command: string, schema: unknown): string | string[] {
  return isObject(schema) && schema["type"] === "array" ? ["bash", "-c", command] : command;
}

/** An answer in the requested form, with this text wherever it has a text. */
export function answerWith(text: string, schema: JsonObject): string {
  const fields = Object.entries(propertiesOf(schema)).map(([name, field]) => {
    const isText = isObject(field) && field["type"] === "string" && field["enum"] === undefined;
    return [name, isText ? text : neutralValue(field)];
  });
  return JSON.stringify(Object.fromEntries(fields));
}

/** With neutral values for the other arguments that are required. */
function complete(parameters: JsonObject, values: JsonObject): JsonObject {
  const required: unknown[] = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  const missing = required.map(String).filter((key) => values[key] === undefined);
  const neutral = missing.map((key) => [key, neutralValue(propertiesOf(parameters)[key])]);
  return { ...values, ...Object.fromEntries(neutral) };
}

function neutralValue(schema: unknown): unknown {
  const { type, enum: values } = isObject(schema) ? schema : {};
  if (Array.isArray(values)) return values[0];
  const known: Record<string, unknown> = { boolean: false, number: 1, integer: 1, array: [], object: {} };
  return known[String(type).toLowerCase()] ?? "judge";
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

function commandFor(wish: Wish): string {
  switch (wish.type) {
    case "read":
      return `cat '${wish.path}'`;
    case "write":
      return `printf '%s' '${wish.content}' > '${wish.path}'`;
    case "run":
      return wish.command;
  }
}

function patchFor({ path, content }: Extract<Wish, { type: "write" }>): string {
  const lines = content.split("\n").map((line) => `+${line}`);
  return ["*** Begin Patch", `*** Add File: ${path}`, ...lines, "*** End Patch", ""].join("\n");
}
