import { isObject } from "../json/value.js";
import type { AssistantContent, AssistantMessage, Ext } from "../types.js";
import { emptyUsage } from "./usage.js";

type OriginFields = Pick<AssistantMessage, "api" | "provider" | "model" | "usage" | "stopReason">;

/** Neutral values for an answer's origin, usage and stop reason, if the source does not record them. */
export function neutralOrigin(content: readonly unknown[]): OriginFields {
  return { api: "", provider: "", model: "", usage: emptyUsage(), stopReason: impliedStop(content) };
}

const SYNTHESISED = ["/api", "/provider", "/model", "/usage", "/stopReason", "/timestamp"];

/** The time of a message whose source does not record it. */
export function undated() {
  return { timestamp: 0, ext: { synthesised: ["/timestamp"] } };
}

/** An answer whose source records only its content; `synthesised` has pointers to synthesised data in the content. */
export function unattributedAnswer(
  content: AssistantContent[],
  synthesised: readonly string[] = [],
): AssistantMessage {
  return {
    role: "assistant",
    content,
    ...neutralOrigin(content),
    timestamp: 0,
    ext: { synthesised: [...SYNTHESISED, ...synthesised] },
  };
}

/** The stop reason of an answer with these blocks, if the source does not record it. */
export function impliedStop(content: readonly unknown[]): "toolUse" | "stop" {
  return content.some((block) => isObject(block) && block["type"] === "toolCall") ? "toolUse" : "stop";
}

/** Whether a field, or an object that contains it, is a neutral value that was not in the source. */
export function isSynthesised({ ext }: { ext?: Ext }, pointer: string): boolean {
  return ext?.synthesised?.some((listed) => pointer === listed || pointer.startsWith(`${listed}/`)) === true;
}
