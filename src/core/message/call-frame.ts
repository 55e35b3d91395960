import { LEVELS } from "../api/effort.js";
import type { CallOptions, ToolSpec } from "../api/provider.js";
import { isBoolean, isNumber, isObject, isString, type JsonObject } from "../json/value.js";

/** A request's fields besides its messages, kept on the `session` message under the API's name. */
export interface CallFrame {
  model: string;
  stream: boolean;
  options: CallOptions;
  tools?: readonly ToolSpec[];
}

/** Undefined if it is not a call frame; options of the wrong type are left out. */
export function readFrame(value: unknown): CallFrame | undefined {
  if (!isObject(value) || typeof value["model"] !== "string" || typeof value["stream"] !== "boolean")
    return undefined;
  const { options, tools } = value;
  return {
    model: value["model"],
    stream: value["stream"],
    options: isObject(options) ? readOptions(options) : {},
    ...(Array.isArray(tools) ? { tools: tools.filter(isTool) } : {}),
  };
}

function readOptions(value: JsonObject): CallOptions {
  const entries = Object.entries(value).filter(([key, option]) => checkOf(key)?.(option) === true);
  return Object.fromEntries(entries);
}

const checks: Record<keyof CallOptions, (value: unknown) => boolean> = {
  maxTokens: isNumber,
  temperature: isNumber,
  topP: isNumber,
  topK: isNumber,
  seed: isNumber,
  stop: (value) => Array.isArray(value) && value.every(isString),
  presencePenalty: isNumber,
  frequencyPenalty: isNumber,
  thinking: (value) =>
    ["off", ...LEVELS].some((level) => level === value) ||
    (isObject(value) && isNumber(value["budgetTokens"])),
  parallelToolCalls: isBoolean,
  output: (value) => value === "json" || (isObject(value) && isObject(value["schema"])),
  serviceTier: isString,
  user: isString,
  toolChoice: (value) =>
    ["auto", "none", "any"].some((choice) => choice === value) ||
    (isObject(value) && typeof value["name"] === "string"),
  cache: isBoolean,
  extra: isObject,
  form: isObject,
};

function checkOf(key: string): ((value: unknown) => boolean) | undefined {
  return Object.entries(checks).find(([known]) => known === key)?.[1];
}

function isTool(value: unknown): value is ToolSpec {
  return (
    isObject(value) &&
    typeof value["name"] === "string" &&
    typeof value["description"] === "string" &&
    isObject(value["parameters"])
  );
}
