import type { Context, ToolSpec } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import type { Report } from "./entry.js";

/** The text without lone surrogates. */
export function wholeText(text: string, at: string, report: Report): string {
  const whole = withoutHalves(text);
  if (whole !== text) report(halfCharacterLoss(at));
  return whole;
}

/** The value without lone surrogates in any of its texts. */
export function wholeJson(value: JsonObject, at: string, report: Report): JsonObject {
  const whole = wholeObject(value);
  if (whole !== value) report(halfCharacterLoss(at));
  return whole;
}

/** The system prompt and the tools without lone surrogates. */
export function wholeFrame<C extends Pick<Context, "systemPrompt" | "tools">>(context: C, report: Report): C {
  const { systemPrompt, tools } = context;
  return {
    ...context,
    ...(systemPrompt === undefined ? {} : { systemPrompt: wholeText(systemPrompt, "/systemPrompt", report) }),
    ...(tools === undefined ? {} : { tools: tools.map((tool, index) => wholeTool(tool, index, report)) }),
  };
}

function wholeTool(tool: ToolSpec, index: number, report: Report): ToolSpec {
  return {
    ...tool,
    description: wholeText(tool.description, `/tools/${index}/description`, report),
    parameters: wholeJson(tool.parameters, `/tools/${index}/parameters`, report),
  };
}

function halfCharacterLoss(at: string): Loss {
  return { at, what: "half a character", why: "it cannot be sent as UTF-8", severity: "approximated" };
}

function withoutHalves(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "");
}

function wholeValue(value: unknown): unknown {
  if (typeof value === "string") return withoutHalves(value);
  if (!Array.isArray(value)) return isObject(value) ? wholeObject(value) : value;
  const whole = value.map(wholeValue);
  return whole.some((item, index) => item !== value[index]) ? whole : value;
}

/** The object itself if nothing changes. */
function wholeObject(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, item]) => ({
    key,
    item,
    name: withoutHalves(key),
    whole: wholeValue(item),
  }));
  if (entries.every(({ key, item, name, whole }) => name === key && whole === item)) return value;
  return Object.fromEntries(entries.map(({ name, whole }) => [name, whole]));
}
