import type { Context, ToolSpec } from "../core/api/provider.js";
import type { AgentMessage, AssistantMessage } from "../core/types.js";
import { otel } from "../dialects/otel/index.js";
import type { Attributes } from "./wire.js";

/** A longer list is left out and named: collectors refuse requests of a few megabytes. */
const MAX_CHARACTERS = 2 ** 20;
const LISTS = ["gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"] as const;

/** The messages of a call or a run, in the form of the conventions. Lists are JSON texts, which every backend accepts. */
export function messageAttributes(
  { systemPrompt = "", messages }: Pick<Context, "systemPrompt" | "messages">,
  answer: AssistantMessage | undefined,
): Attributes {
  const prompt: AgentMessage[] =
    systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt, timestamp: 0 }];
  const [record = {}] = otel.encode([...prompt, ...messages, ...(answer === undefined ? [] : [answer])]);
  return Object.fromEntries(LISTS.flatMap((key) => Object.entries(jsonAttribute(key, record[key]))));
}

export function toolDefinitions(tools: readonly ToolSpec[] | undefined): Attributes {
  if (tools === undefined || tools.length === 0) return {};
  const definitions = tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters,
  }));
  return jsonAttribute("gen_ai.tool.definitions", definitions);
}

/** A value as JSON text; only its name if it is too long. */
export function jsonAttribute(key: string, value: unknown): Attributes {
  if (value === undefined) return {};
  const text = JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? { [`dragoman.omitted.${key}`]: text.length } : { [key]: text };
}
