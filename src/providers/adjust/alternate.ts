import type { UserContent } from "../../core/types.js";
import { at, type Entry, isUser, type Report } from "./entry.js";

/** Makes a conversation start with a user message, as some APIs require. The encoder merges consecutive messages. */
export function beginWithUser(entries: readonly Entry[], report: Report): Entry[] {
  const [first] = entries;
  if (first === undefined || isUser(first)) return [...entries];
  report({
    at: at(first),
    what: "a user message before it",
    why: "this API requires a conversation to start with a user message",
    severity: "synthesised",
    of: "message",
  });
  const content: UserContent[] = [{ type: "text", text: "(the conversation begins here)" }];
  return [
    { message: { role: "user", content, timestamp: first.message.timestamp }, index: first.index },
    ...entries,
  ];
}
