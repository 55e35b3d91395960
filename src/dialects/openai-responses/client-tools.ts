import type { ClientTools } from "../../core/api/provider.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import type { OpaqueContent, ToolCall } from "../../core/types.js";
import { NAME } from "./wire.js";

/**
 * Tools that the client runs and that are not plain functions: `custom` (its input is one text), `local_shell`, and
 * `namespace` (a group of functions). Models with another API see them as functions; their calls are written as items of
 * this API. Tools in an `additional_tools` item count as tools of the request.
 */
export const clientTools: ClientTools = {
  asFunctions(body) {
    const input = Array.isArray(body["input"]) ? body["input"] : undefined;
    const tools = toolsOf(body);
    const choice = body["tool_choice"];
    return {
      ...body,
      ...(tools.length === 0 ? {} : { tools: tools.flatMap(functionsOf) }),
      ...(input === undefined ? {} : { input: input.filter((item) => !isAdditional(item)).map(plainItem) }),
      ...(isObject(choice) && choice["type"] === "custom"
        ? { tool_choice: { ...choice, type: "function" } }
        : {}),
    };
  },
  ownCalls(body) {
    const forms = new Map(toolsOf(body).flatMap(callForms));
    return forms.size === 0
      ? undefined
      : { has: (name) => forms.has(name), write: (call) => opaque(forms.get(call.name)?.(call)) };
  },
};

type CallForm = (call: ToolCall) => JsonObject;

function opaque(value: JsonObject | undefined): OpaqueContent | undefined {
  return value === undefined ? undefined : { type: "opaque", dialect: NAME, value };
}

function isAdditional(item: unknown): item is JsonObject {
  return isObject(item) && item["type"] === "additional_tools" && Array.isArray(item["tools"]);
}

function toolsOf({ tools, input }: JsonObject): unknown[] {
  const added = Array.isArray(input) ? input.filter(isAdditional) : [];
  return [tools, ...added.map((item) => item["tools"])].flatMap((list) => (Array.isArray(list) ? list : []));
}

/** `crm` and `find` become `crm__find`. Some namespaces already end with the separator. */
function qualifyName(namespace: unknown, name: string): string {
  if (!isString(namespace)) return name;
  return namespace.endsWith("__") ? `${namespace}${name}` : `${namespace}__${name}`;
}

function functionsOf(tool: unknown): unknown[] {
  if (!isObject(tool)) return [tool];
  const { type, name, description, tools } = tool;
  if (type === "namespace" && isString(name) && Array.isArray(tools)) {
    return tools.filter(isObject).flatMap((inner) => {
      const about = isString(description) && description !== "" ? `${name}: ${description}` : undefined;
      const text = [inner["description"], about].filter(isString).join("\n\n");
      return functionsOf({ ...inner, name: qualifyName(name, String(inner["name"])), description: text });
    });
  }
  if (type === "custom") return [customFunction(tool)];
  return type === "local_shell" ? [SHELL] : [tool];
}

function customFunction({ name, description, format }: JsonObject): JsonObject {
  const { syntax, definition } = isObject(format) ? format : {};
  const grammar = isString(definition)
    ? `The input follows this ${String(syntax)} grammar:\n${definition}`
    : undefined;
  const input = { type: "string", description: "The whole input of the tool, as plain text." };
  return {
    type: "function",
    name,
    description: [description, grammar].filter(isString).join("\n\n"),
    parameters: { type: "object", properties: { input }, required: ["input"], additionalProperties: false },
    strict: false,
  };
}

const SHELL = {
  type: "function",
  name: "local_shell",
  description: "Runs a command on the user's computer and returns its output.",
  parameters: {
    type: "object",
    properties: {
      command: { type: "array", items: { type: "string" }, description: "The program and its arguments." },
      working_directory: { type: "string" },
      timeout_ms: { type: "number" },
      env: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["command"],
    additionalProperties: false,
  },
  strict: false,
};

/** Calls and results of earlier turns as function calls and results. */
function plainItem(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { type, namespace, name, call_id, id, output } = item;
  switch (type) {
    case "function_call": {
      const { namespace: _, ...plain } = item;
      return isString(namespace) ? { ...plain, name: qualifyName(namespace, String(name)) } : item;
    }
    case "custom_tool_call":
      return {
        type: "function_call",
        call_id,
        name: qualifyName(namespace, String(name)),
        arguments: JSON.stringify({ input: item["input"] }),
      };
    case "local_shell_call": {
      const { type: _, ...action } = isObject(item["action"]) ? item["action"] : {};
      return { type: "function_call", call_id, name: "local_shell", arguments: JSON.stringify(action) };
    }
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return { type: "function_call_output", call_id: call_id ?? id, output };
    default:
      return item;
  }
}

/** How calls of a tool are written, by function name. */
function callForms(tool: unknown): [string, CallForm][] {
  if (!isObject(tool)) return [];
  const { type, name, tools } = tool;
  if (type === "custom" && isString(name)) return [[name, (call) => customCall(call, { name })]];
  if (type === "local_shell") return [["local_shell", shellCall]];
  if (type !== "namespace" || !isString(name) || !Array.isArray(tools)) return [];
  return tools.filter(isObject).map((inner): [string, CallForm] => {
    const own = { name: String(inner["name"]), namespace: name };
    const isCustom = inner["type"] === "custom";
    return [
      qualifyName(name, own.name),
      (call) => (isCustom ? customCall(call, own) : functionCall(call, own)),
    ];
  });
}

interface OwnName {
  name: string;
  namespace?: string;
}

function customCall(call: ToolCall, own: OwnName): JsonObject {
  const { input } = call.arguments;
  const text = isString(input) ? input : JSON.stringify(call.arguments);
  return {
    type: "custom_tool_call",
    id: `ctc_${call.id}`,
    call_id: call.id,
    ...own,
    input: text,
    status: "completed",
  };
}

function functionCall(call: ToolCall, own: OwnName): JsonObject {
  return {
    type: "function_call",
    id: `fc_${call.id}`,
    call_id: call.id,
    ...own,
    arguments: JSON.stringify(call.arguments),
    status: "completed",
  };
}

function shellCall(call: ToolCall): JsonObject {
  return {
    type: "local_shell_call",
    id: `lsh_${call.id}`,
    call_id: call.id,
    action: { type: "exec", command: [], env: {}, ...call.arguments },
    status: "completed",
  };
}
