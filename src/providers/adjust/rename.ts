import { hasShape, type Shape } from "../../core/api/api-rules.js";
import { fnv1a } from "../../core/hash.js";
import { blockAt, type Entry, isAssistant, isResult, type Report } from "./entry.js";

/** For APIs that accept any name: it must not be empty or very long. */
const ANY: Shape = { pattern: /^[\s\S]+$/, maxLength: 256, words: "1 to 256 characters" };

/**
 * Replaces names that an API does not accept. Truncating long names could make two of them equal, so a replacement is the
 * start of the name followed by a hash of the whole name.
 */
export class Renamer {
  readonly #shape: Shape;
  readonly #accepted = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(shape = ANY) {
    this.#shape = shape;
  }

  rename(name: string): string {
    const known = this.#accepted.get(name);
    if (known !== undefined) return known;
    let next = name;
    for (let round = 0; !this.#fits(next); round++) {
      // Short and stable. A collision leads to another round.
      const hash = fnv1a(`${name}${round === 0 ? "" : round}`).toString(36);
      next = this.#shape.make?.(hash) ?? this.#append(name, `_${hash}`);
    }
    this.#accepted.set(name, next);
    this.#taken.add(next);
    return next;
  }

  #append(name: string, tail: string): string {
    return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, this.#shape.maxLength - tail.length) + tail;
  }

  #fits(name: string): boolean {
    return hasShape(name, this.#shape) && !this.#taken.has(name);
  }
}

/** Replaces the ids or tool names of calls and results that an API does not accept. */
export function renameCalls(
  entries: readonly Entry[],
  field: "id" | "name",
  accepted: (name: string) => string,
  report: Report,
): Entry[] {
  const ofResult = field === "id" ? "toolCallId" : "toolName";
  return entries.map((entry) => {
    if (isResult(entry)) {
      const { message } = entry;
      return { ...entry, message: { ...message, [ofResult]: accepted(message[ofResult]) } };
    }
    if (!isAssistant(entry)) return entry;
    const content = entry.message.content.map((block, index) => {
      if (block.type !== "toolCall") return block;
      const next = accepted(block[field]);
      if (next === block[field]) return block;
      report({
        at: blockAt(entry, index, `/${field}`),
        what: `the tool ${field} "${block[field]}"`,
        why: `this API does not accept it; "${next}" is sent instead`,
        severity: "approximated",
      });
      return { ...block, [field]: next };
    });
    return { ...entry, message: { ...entry.message, content } };
  });
}
