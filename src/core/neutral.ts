import type { AssistantMessage, Ext } from "./types.js";
import { emptyUsage } from "./usage.js";

type Unsaid = Pick<AssistantMessage, "api" | "provider" | "model" | "usage" | "stopReason">;

/** Where an answer came from, what it cost and why it ended, if the source does not say: values that claim nothing. */
export function neutralOrigin(): Unsaid {
  return { api: "", provider: "", model: "", usage: emptyUsage(), stopReason: "stop" };
}

/** Whether a field, or the object it is in, was not in the source and is a neutral value. */
export function isSynthesised({ ext }: { ext?: Ext }, pointer: string): boolean {
  return ext?.synthesised?.some((listed) => pointer === listed || pointer.startsWith(`${listed}/`)) === true;
}
