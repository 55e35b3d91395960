import { isObject } from "../../core/json/value.js";
import type { AgentMessage, AssistantContent, UserContent } from "../../core/types.js";
import type { SearchedRole } from "./types.js";

/** Of a message's text, this much can be searched. */
const MAX_LENGTH = 64 * 1024;

/** Around matches in a snippet. Unicode reserves them for such use inside programs; no text is meant to hold them. */
export const MATCH_BEGIN = "\ufdd0";
export const MATCH_END = "\ufdd1";

/** Stands between characters that are indexed one by one; invisible, and for the tokenizer not part of a word. */
export const SEPARATOR = "\u200b";

/** Scripts that are written without spaces, or whose words are seldom searched as they stand. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Spares most texts the expression above, which is slow. No script of it is below U+0E00. */
const MAYBE_UNSPACED = /[\u0e00-\uffff]/;
/** SQLite ends a text at NUL, and marks of our own must not come from elsewhere. */
const UNWANTED = /[\0\ufdd0\ufdd1]/g;

export function isSearched(message: AgentMessage): message is Extract<AgentMessage, { role: SearchedRole }> {
  return message.role === "user" || message.role === "assistant" || message.role === "toolResult";
}

/** What of a message can be searched; empty when nothing can. Thinking is left out: it is not what was said. */
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

/** Names and values, not JSON: in JSON a word after a line break is written `\nword`. */
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
 * The text as it is indexed, and as words of a query are written: `日本` is found in `東日本橋` because each character is a
 * word of its own. SQLite's own answer, an index of all triples of characters, misses words of two, which most are.
 */
export function separated(text: string): string {
  const clean = text.replace(UNWANTED, " ");
  if (!MAYBE_UNSPACED.test(clean)) return clean;
  return clean.replace(UNSPACED, (run) => `${SEPARATOR}${[...run].join(SEPARATOR)}${SEPARATOR}`);
}
