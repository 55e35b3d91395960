import { jsonIn } from "../json/parse.js";
import { isObject, type JsonObject } from "../json/value.js";
import type { ThinkingContent } from "../types.js";

/** The fields of a message item that `textSignature` keeps: `{"v":1,"id":"msg_…","phase":"commentary"}`. */
export interface MessageSignature {
  id: string;
  phase?: string;
}

export function writeSignature({ id, phase }: MessageSignature): string {
  return JSON.stringify({ v: 1, id, ...(phase === undefined ? {} : { phase }) });
}

/** Undefined for other APIs' signatures. */
export function readSignature(text: string | undefined): MessageSignature | undefined {
  const value = parseObject(text);
  if (value?.["v"] !== 1 || typeof value["id"] !== "string") return undefined;
  const { id, phase } = value;
  return { id, ...(typeof phase === "string" ? { phase } : {}) };
}

/** The reasoning item in a `thinkingSignature`; undefined for other APIs' signatures. */
export function readReasoning(text: string | undefined): JsonObject | undefined {
  const value = parseObject(text);
  return value?.["type"] === "reasoning" ? value : undefined;
}

/** Thinking whose reasoning item has this encrypted content. */
export function writeEncrypted(block: ThinkingContent, encrypted_content: string): ThinkingContent {
  const { thinking } = block;
  const summary = thinking === "" ? [] : [{ type: "summary_text", text: thinking }];
  return { ...block, thinkingSignature: JSON.stringify({ type: "reasoning", summary, encrypted_content }) };
}

export function readEncrypted({ thinkingSignature }: ThinkingContent): string | undefined {
  const encrypted = readReasoning(thinkingSignature)?.["encrypted_content"];
  return typeof encrypted === "string" ? encrypted : undefined;
}

function parseObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined || !text.startsWith("{")) return undefined;
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}
