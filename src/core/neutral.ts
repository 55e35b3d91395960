import type { AssistantMessage, Ext } from "./types.js";
import { emptyUsage } from "./usage.js";

/** What the model requires of an answer, where the source says nothing: values that claim nothing. */
export function neutralAnswer(): Omit<AssistantMessage, "role" | "content"> {
  return { api: "", provider: "", model: "", usage: emptyUsage(), stopReason: "stop", timestamp: 0 };
}

/** Whether a field, or the object it is in, was not in the source and is a neutral value. */
export function isSynthesised({ ext }: { ext?: Ext }, pointer: string): boolean {
  return ext?.synthesised?.some((listed) => pointer === listed || pointer.startsWith(`${listed}/`)) === true;
}
