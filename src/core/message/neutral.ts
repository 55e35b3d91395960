import { isObject } from "../json/value.js";
import type { AssistantContent, AssistantMessage, Ext } from "../types.js";
import { emptyUsage } from "./usage.js";

type Unsaid = Pick<AssistantMessage, "api" | "provider" | "model" | "usage" | "stopReason">;

/** Where an answer came from, what it cost and why it ended, if the source does not say: values that claim nothing. */
export function neutralOrigin(content: readonly unknown[]): Unsaid {
  return { api: "", provider: "", model: "", usage: emptyUsage(), stopReason: impliedStop(content) };
}

const UNSAID = ["/api", "/provider", "/model", "/usage", "/stopReason", "/timestamp"];

/** An answer of which the source says its content alone; `made` are pointers to what it does not say of that. */
export function unattributedAnswer(
  content: AssistantContent[],
  made: readonly string[] = [],
): AssistantMessage {
  return {
    role: "assistant",
    content,
    ...neutralOrigin(content),
    timestamp: 0,
    ext: { synthesised: [...UNSAID, ...made] },
  };
}

/** Why an answer with these blocks ended, if the source does not say: a model that calls a tool waits for the result. */
export function impliedStop(content: readonly unknown[]): "toolUse" | "stop" {
  return content.some((block) => isObject(block) && block["type"] === "toolCall") ? "toolUse" : "stop";
}

/** Whether a field, or the object it is in, was not in the source and is a neutral value. */
export function isSynthesised({ ext }: { ext?: Ext }, pointer: string): boolean {
  return ext?.synthesised?.some((listed) => pointer === listed || pointer.startsWith(`${listed}/`)) === true;
}
