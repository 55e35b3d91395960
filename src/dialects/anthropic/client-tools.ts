import type { ClientTools } from "../../core/api/provider.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";

const path = { type: "string", description: "An absolute path." };
const text = { type: "string" };
const line = { type: "integer" };

/** Definitions of these tools for models other than Claude, which knows them. */
const bash = {
  description: "Runs a command in a bash session that keeps its state between calls.",
  input_schema: {
    type: "object",
    properties: { command: text, restart: { type: "boolean", description: "Starts the session again." } },
  },
};

const editor = {
  description: "Views, creates and edits text files.",
  input_schema: {
    type: "object",
    properties: {
      command: { enum: ["view", "create", "str_replace", "insert"] },
      path,
      view_range: { type: "array", items: line, description: "The first and the last line to view." },
      file_text: { ...text, description: "The content of a new file." },
      old_str: { ...text, description: "The text to replace; it must occur once." },
      new_str: { ...text, description: "What replaces it." },
      insert_line: { ...line, description: "The line after which to insert." },
      insert_text: { ...text, description: "The text to insert." },
    },
    required: ["command", "path"],
  },
};

const DEFINED: readonly [RegExp, JsonObject][] = [
  [/^bash_\d+$/, bash],
  [/^text_editor_\d+$/, editor],
];

/**
 * Tools that Anthropic defines and the client runs. Other models see them as functions. Their calls have the form of any
 * function call.
 */
export const clientTools: ClientTools = {
  asFunctions(body) {
    const { tools } = body;
    return Array.isArray(tools) ? { ...body, tools: tools.map(asFunction) } : body;
  },
};

function asFunction(tool: unknown): unknown {
  if (!isObject(tool) || !isString(tool["type"])) return tool;
  const { type, name } = tool;
  const [, defined] = DEFINED.find(([pattern]) => pattern.test(type)) ?? [];
  return defined === undefined ? tool : { name, ...defined };
}
