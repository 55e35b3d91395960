import type { HistoryRules } from "../../core/provider.js";
import { at, type Entry, isAssistant, isResult, type Report } from "./entry.js";

/**
 * Makes tool ids fit an API. Cutting long ids off would merge distinct calls, so what does not fit keeps its beginning and
 * gets a hash of the whole. One map serves calls and results.
 */
export function fitIds(
  entries: readonly Entry[],
  { pattern, maxLength }: HistoryRules["toolId"],
  report: Report,
): Entry[] {
  const fitted = new Map<string, string>();
  const taken = new Set<string>();
  const accepted = (id: string): string => {
    const known = fitted.get(id);
    if (known !== undefined) return known;
    let next = id;
    for (let round = 0; taken.has(next) || next.length > maxLength || !pattern.test(next); round++) {
      const tail = `_${hash(`${id}${round === 0 ? "" : round}`)}`;
      next = id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, maxLength - tail.length) + tail;
    }
    fitted.set(id, next);
    taken.add(next);
    return next;
  };
  return entries.map((entry) => {
    if (isResult(entry)) {
      return { ...entry, message: { ...entry.message, toolCallId: accepted(entry.message.toolCallId) } };
    }
    if (!isAssistant(entry)) return entry;
    const content = entry.message.content.map((block, index) => {
      if (block.type !== "toolCall") return block;
      const id = accepted(block.id);
      if (id !== block.id) {
        report({
          at: at(entry, `/content/${index}/id`),
          what: `the tool id "${block.id}"`,
          why: `this API does not take it; "${id}" is sent instead`,
          severity: "approximated",
        });
      }
      return { ...block, id };
    });
    return { ...entry, message: { ...entry.message, content } };
  });
}

/** FNV-1a over UTF-16 units: short, stable, and enough to keep ids apart; a collision is noticed and tried again. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
