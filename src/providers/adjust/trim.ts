import { blockAt, type Entry, isAssistant, type Report } from "./entry.js";

/** Removes white space at the end of a last answer, which APIs that continue the answer refuse. */
export function trimLastAnswer(entries: readonly Entry[], report: Report): Entry[] {
  const last = entries.at(-1);
  if (last === undefined || !isAssistant(last)) return [...entries];
  const { content } = last.message;
  const end = content.at(-1);
  if (end?.type !== "text" || end.text === end.text.trimEnd()) return [...entries];
  report({
    at: blockAt(last, content.length - 1, "/text"),
    what: "white space at the end of the last answer",
    why: "this API refuses it",
    severity: "approximated",
  });
  const trimmed = [...content.slice(0, -1), { ...end, text: end.text.trimEnd() }];
  return [...entries.slice(0, -1), { ...last, message: { ...last.message, content: trimmed } }];
}
