import type { CallOptions, Thinking } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { FunctionCallingConfig, GenerationConfig, ThinkingConfig } from "./wire.js";
import { unlessEmpty } from "./wire.js";

export interface ReadConfig {
  options: Pick<CallOptions, "maxTokens" | "temperature" | "thinking">;
  /** What we have no name for. */
  rest?: JsonObject;
}

export function readConfig(config: unknown): ReadConfig {
  if (config === undefined) return { options: {} };
  if (!isObject(config)) throw unexpected("/generationConfig", "an object", config);
  const { maxOutputTokens, temperature, thinkingConfig, ...further } = config;
  const options: ReadConfig["options"] = {};
  if (typeof maxOutputTokens === "number") options.maxTokens = maxOutputTokens;
  else if (maxOutputTokens !== undefined) further["maxOutputTokens"] = maxOutputTokens;
  if (typeof temperature === "number") options.temperature = temperature;
  else if (temperature !== undefined) further["temperature"] = temperature;
  const thinking = readThinking(thinkingConfig);
  if (thinking !== undefined) options.thinking = thinking;
  else if (thinkingConfig !== undefined) further["thinkingConfig"] = thinkingConfig;
  const empty = Object.keys(config).length === 0;
  const rest = unlessEmpty(further);
  return { options, ...(empty ? { rest: config } : rest === undefined ? {} : { rest }) };
}

/** What the caller gives in Google's own words wins over what we make of the options. */
export function writeConfig(
  { maxTokens, temperature, thinking }: CallOptions,
  rest: unknown,
  model: string,
): { generationConfig?: JsonObject } {
  const config: GenerationConfig = {
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(thinking === undefined ? {} : { thinkingConfig: writeThinking(thinking, model) }),
  };
  const further = isObject(rest) ? rest : undefined;
  if (further === undefined && Object.keys(config).length === 0) return {};
  return { generationConfig: { ...config, ...further } };
}

const LEVELS = { minimal: "MINIMAL", low: "LOW", medium: "MEDIUM", high: "HIGH" } as const;

/** For models that know budgets only; each lies within what all of them take. */
const BUDGETS = { minimal: 512, low: 2048, medium: 8192, high: 24_576 } as const;

/** 2.5 of `gemini-2.5-pro`; undefined for names that do not say it. */
export function generation(model: string): number | undefined {
  const [, found] = /gemini-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  return found === undefined ? undefined : Number(found);
}

function writeThinking(thinking: Thinking, model: string): ThinkingConfig {
  if (typeof thinking === "object") return { includeThoughts: true, thinkingBudget: thinking.budgetTokens };
  const version = generation(model);
  // From Gemini 3 on thinking cannot be turned off.
  if (thinking === "off") return (version ?? 0) >= 3 ? { thinkingLevel: "LOW" } : { thinkingBudget: 0 };
  if ((version ?? 3) < 3) return { includeThoughts: true, thinkingBudget: BUDGETS[thinking] };
  return { includeThoughts: true, thinkingLevel: LEVELS[thinking] };
}

function readThinking(config: unknown): Thinking | undefined {
  if (!isObject(config)) return undefined;
  const { includeThoughts, thinkingBudget, thinkingLevel, ...further } = config;
  if (Object.keys(further).length > 0) return undefined;
  if (Object.keys(config).length === 1 && thinkingBudget === 0) return "off";
  if (includeThoughts !== true || Object.keys(config).length !== 2) return undefined;
  if (typeof thinkingBudget === "number") return { budgetTokens: thinkingBudget };
  return levels.find((level) => LEVELS[level] === thinkingLevel);
}

const levels = ["minimal", "low", "medium", "high"] as const;

type ToolChoice = NonNullable<CallOptions["toolChoice"]>;

export interface ReadToolConfig {
  toolChoice?: ToolChoice;
  rest?: JsonObject;
}

export function readToolConfig(config: unknown): ReadToolConfig {
  if (config === undefined) return {};
  if (!isObject(config)) throw unexpected("/toolConfig", "an object", config);
  const { functionCallingConfig, ...rest } = config;
  const toolChoice = readChoice(functionCallingConfig);
  if (toolChoice === undefined) return { rest: config };
  return { toolChoice, ...(Object.keys(rest).length === 0 ? {} : { rest }) };
}

export function writeToolConfig(choice: ToolChoice | undefined, rest: unknown): { toolConfig?: JsonObject } {
  const further = isObject(rest) ? rest : undefined;
  if (choice === undefined) return further === undefined ? {} : { toolConfig: further };
  return { toolConfig: { functionCallingConfig: writeChoice(choice), ...further } };
}

const MODES = { auto: "AUTO", any: "ANY", none: "NONE" } as const;

function writeChoice(choice: ToolChoice): FunctionCallingConfig {
  if (typeof choice === "object") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: MODES[choice] };
}

function readChoice(config: unknown): ToolChoice | undefined {
  if (!isObject(config)) return undefined;
  const { mode, allowedFunctionNames, ...further } = config;
  if (Object.keys(further).length > 0) return undefined;
  if (allowedFunctionNames === undefined) {
    return (["auto", "any", "none"] as const).find((choice) => MODES[choice] === mode);
  }
  if (mode !== "ANY" || !Array.isArray(allowedFunctionNames) || allowedFunctionNames.length !== 1) {
    return undefined;
  }
  const [name] = allowedFunctionNames;
  return typeof name === "string" ? { name } : undefined;
}
