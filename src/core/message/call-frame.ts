import type { CallOptions, ToolSpec } from "../api/provider.js";
import { isBoolean, isNumber, isObject, isString, type JsonObject, own } from "../json/value.js";

/** A request's fields besides its messages, kept on the `session` message under the API's name. */
export interface CallFrame {
  model: string;
  stream: boolean;
  options: CallOptions;
  tools?: readonly ToolSpec[];
}

/** Undefined if it is not a call frame; options of the wrong type are left out. */
export function readFrame(value: unknown): CallFrame | undefined {
  if (!isObject(value)) return undefined;
  const { model, stream, options, tools } = value;
  if (!isString(model) || !isBoolean(stream)) return undefined;
  return {
    model,
    stream,
    options: isObject(options) ? readOptions(options) : {},
    ...(Array.isArray(tools) ? { tools: tools.filter(isTool) } : {}),
  };
}

function readOptions(value: JsonObject): CallOptions {
  return Object.fromEntries(
    Object.entries(value).filter(([key, option]) => own(checks, key)?.(option) === true),
  );
}

const checks: Record<keyof CallOptions, (value: unknown) => boolean> = {
  maxTokens: isNumber,
  temperature: isNumber,
  thinking: (value) =>
    ["off", "minimal", "low", "medium", "high"].some((level) => level === value) ||
    (isObject(value) && isNumber(value["budgetTokens"])),
  toolChoice: (value) =>
    ["auto", "none", "any"].some((choice) => choice === value) ||
    (isObject(value) && isString(value["name"])),
  cache: isBoolean,
  extra: isObject,
  form: isObject,
};

function isTool(value: unknown): value is ToolSpec {
  if (!isObject(value)) return false;
  return isString(value["name"]) && isString(value["description"]) && isObject(value["parameters"]);
}
