import { isObject } from "../../core/json/value.js";
import type { AgentMessage, AssistantContent, UserContent } from "../../core/types.js";
import type { SearchedRole } from "./types.js";

/** The part of a message's text that is searchable. */
const MAX_LENGTH = 64 * 1024;

/** Around matches in a snippet. Unicode reserves these characters for use inside programs. */
export const MATCH_BEGIN = "\ufdd0";
export const MATCH_END = "\ufdd1";

/** Separates characters that are indexed one by one; invisible, and not part of a word for the tokenizer. */
export const SEPARATOR = "\u200b";

/** Scripts written without spaces, or whose words are rarely searched as written. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** A fast check before the slow expression above. None of its scripts is below U+0E00, or has the block of punctuation and symbols. */
const MAYBE_UNSPACED = /[\u0e00-\u1fff\u2e80-\uffff]/;
/** PostgreSQL refuses NUL, and our own marks must not appear in a text. */
const UNWANTED = /[\0\ufdd0\ufdd1]/g;

export function isSearched(message: AgentMessage): message is Extract<AgentMessage, { role: SearchedRole }> {
  return message.role === "user" || message.role === "assistant" || message.role === "toolResult";
}

/** A message's searchable text, which may be empty. Thinking is not part of it. */
export function searchableText(message: Extract<AgentMessage, { role: SearchedRole }>): string {
  const { content } = message;
  return typeof content === "string" ? content.slice(0, MAX_LENGTH) : textOf(content);
}

function textOf(content: readonly (UserContent | AssistantContent)[]): string {
  const parts: string[] = [];
  let room = MAX_LENGTH;
  const add = (text: string) => {
    if (room <= 0 || text === "") return;
    parts.push(text.slice(0, room));
    room -= text.length + 1;
  };
  for (const block of content) {
    if (block.type === "text") add(block.text);
    else if (block.type === "toolCall") {
      add(block.name);
      addValues(block.arguments, add);
    }
  }
  return parts.join("\n");
}

/** Names and values, not JSON: JSON writes a word after a line break as `\nword`. */
function addValues(value: unknown, add: (text: string) => void): void {
  if (typeof value === "string") add(value);
  else if (typeof value === "number" || typeof value === "boolean") add(String(value));
  else if (Array.isArray(value)) for (const item of value) addValues(item, add);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      add(key);
      addValues(item, add);
    }
  }
}

/**
 * The text as it is indexed, and as a query's words are written: `日本` is found in `東日本橋` because each character is a
 * word of its own. An index of groups of three characters would miss words of two, which most are.
 */
export function separated(text: string): string {
  const clean = text.replace(UNWANTED, " ");
  if (!MAYBE_UNSPACED.test(clean)) return clean;
  return clean.replace(UNSPACED, (run) => `${SEPARATOR}${[...run].join(SEPARATOR)}${SEPARATOR}`);
}
