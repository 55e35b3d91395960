import type { Call, Context, Flags, ToolSpec } from "../../core/api/provider.js";
import { isEmpty, isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { deviation, notesOf, restoreNoted, withNotes } from "./notes.js";
import type { ToolPart } from "./wire.js";

/** The field `tools`. It is empty if the history has calls but no tools are offered, because some proxies require it. */
export function writeTools(
  { tools = [], messages }: Context,
  flags: Flags,
  others: unknown,
): JsonObject[] | undefined {
  const written = tools.map((tool) => writeTool(tool, flags));
  for (const [index, other] of Object.entries(isObject(others) ? others : {})) {
    if (isObject(other)) written.splice(Number(index), 0, other);
  }
  return written.length > 0 || isNeeded(messages, flags) ? written : undefined;
}

function isNeeded(messages: Context["messages"], { emptyTools }: Flags): boolean {
  if (emptyTools === false) return false;
  return messages.some(
    (message) =>
      message.role === "toolResult" ||
      (message.role === "assistant" && message.content.some(({ type }) => type === "toolCall")),
  );
}

/** Whether a request has the field `tools`. */
export function hasToolsField({ context, options }: Call, flags: Flags): boolean {
  const { tools = [], messages } = context;
  const others = [options.form?.["otherTools"], options.extra?.["tools"]];
  const hasOthers = others.some((list) => typeof list === "object" && list !== null && !isEmpty(list));
  return tools.length > 0 || hasOthers || isNeeded(messages, flags);
}

function writeTool(tool: ToolSpec, flags: Flags): JsonObject {
  const { name, description, parameters, strict = flags.strict } = tool;
  const part: ToolPart = {
    type: "function",
    function: {
      name,
      ...(description === "" ? {} : { description }),
      parameters,
      ...(strict === undefined ? {} : { strict }),
    },
  };
  return restoreNoted(part, notesOf(tool));
}

/** The functions; other tools are noted by their index. */
export function readTools(tools: unknown): { specs?: ToolSpec[]; notes: JsonObject } {
  if (tools === undefined || tools === null) return { notes: {} };
  if (!Array.isArray(tools)) throw unexpected("/tools", "a list of tools", tools);
  const specs: ToolSpec[] = [];
  const otherTools: JsonObject = {};
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool)) throw unexpected(`/tools/${index}`, "a tool", tool);
    const spec = readTool(tool);
    if (spec === undefined) otherTools[index] = tool;
    else specs.push(spec);
  }
  return { specs, notes: Object.keys(otherTools).length > 0 ? { otherTools } : {} };
}

function readTool(tool: JsonObject): ToolSpec | undefined {
  const { function: defined } = tool;
  if (!isObject(defined) || typeof defined["name"] !== "string") return undefined;
  const { name, description, parameters, strict } = defined;
  const spec: ToolSpec = {
    name,
    description: typeof description === "string" ? description : "",
    parameters: isObject(parameters) ? parameters : {},
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
  return withNotes(spec, deviation(tool, writeTool(spec, {})));
}
