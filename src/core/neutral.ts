import { isObject } from "./json/value.js";
import type { AssistantMessage, Ext } from "./types.js";
import { emptyUsage } from "./usage.js";

type Unsaid = Pick<AssistantMessage, "api" | "provider" | "model" | "usage" | "stopReason">;

/** Where an answer came from, what it cost and why it ended, if the source does not say: values that claim nothing. */
export function neutralOrigin(content: readonly unknown[]): Unsaid {
  return { api: "", provider: "", model: "", usage: emptyUsage(), stopReason: impliedStop(content) };
}

/** Why an answer with these blocks ended, if the source does not say: a model that calls a tool waits for the result. */
export function impliedStop(content: readonly unknown[]): "toolUse" | "stop" {
  return content.some((block) => isObject(block) && block["type"] === "toolCall") ? "toolUse" : "stop";
}

/** Whether a field, or the object it is in, was not in the source and is a neutral value. */
export function isSynthesised({ ext }: { ext?: Ext }, pointer: string): boolean {
  return ext?.synthesised?.some((listed) => pointer === listed || pointer.startsWith(`${listed}/`)) === true;
}
