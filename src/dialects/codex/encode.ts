import type { JsonRecord } from "../../core/dialect.js";
import { restore } from "../../core/records/deviation.js";
import type { AgentMessage } from "../../core/types.js";
import { compactionLine } from "./encode-compaction.js";
import { linesOf } from "./encode-lines.js";
import { carriedLine, customLine, errorLine } from "./encode-note.js";
import { derivedHeader, sessionLines } from "./encode-session.js";
import { notesOf, numbersIn, restoreLines } from "./notes.js";
import { isLink, kindOf } from "./wire.js";

/** An answer is written together with its results and the events between its items. */
export function joinsMessage(_last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if (first.role !== "assistant") return false;
  return next.role === "toolResult" || isLoose(next);
}

function isLoose(message: AgentMessage): boolean {
  const line = message.role === "custom" ? customLine(message, undefined) : undefined;
  const kind = line === undefined ? undefined : kindOf(line);
  return kind === "loose" || kind === "echo" || kind === "count";
}

export function encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  return unit.length === 0 ? [derivedHeader(next)] : new UnitWriter(last).write(unit);
}

/** The remaining lines of a message, and how many other lines come before the next one. */
interface OpenLines {
  lines: JsonRecord[];
  gaps: number[];
  wait: number;
}

class UnitWriter {
  readonly #records: JsonRecord[] = [];
  readonly #isFirst: boolean;
  #last: JsonRecord | undefined;
  #open: OpenLines[] = [];

  constructor(last: JsonRecord | undefined) {
    this.#isFirst = last === undefined;
    this.#last = last;
  }

  write(unit: readonly AgentMessage[]): JsonRecord[] {
    for (const [index, message] of unit.entries()) {
      if (message.role === "session" && this.#isFirst && index === 0) {
        for (const line of sessionLines(message)) this.#push(line);
      } else this.#add(message);
    }
    for (const { lines } of this.#open) for (const line of lines) this.#push(line);
    return this.#records;
  }

  #add(message: AgentMessage): void {
    const [first, ...others] = this.#linesOf(message) ?? [restore(carriedLine(message, this.#last), notesOf(message))];
    if (first === undefined) return;
    this.#push(first);
    const [wait = 0, ...gaps] = numbersIn(notesOf(message)["gaps"]);
    if (others.length > 0) this.#open.push({ lines: others, gaps, wait });
    this.#drain();
  }

  /** Undefined if Codex has no line for the message. */
  #linesOf(message: AgentMessage): JsonRecord[] | undefined {
    switch (message.role) {
      case "user":
      case "system":
      case "toolResult":
      case "assistant": {
        const lines = linesOf(message, { last: this.#last });
        return lines === undefined ? undefined : restoreLines(lines.records, notesOf(message)["lines"]);
      }
      default: {
        const ours = this.#lineOf(message);
        return ours === undefined ? undefined : [restore(ours, notesOf(message))];
      }
    }
  }

  #lineOf(message: AgentMessage): JsonRecord | undefined {
    switch (message.role) {
      case "compaction":
        return compactionLine(message, this.#last);
      case "error":
        return errorLine(message, this.#last);
      case "custom":
        return customLine(message, this.#last);
      default:
        return undefined;
    }
  }

  #push(record: JsonRecord): void {
    this.#records.push(record);
    if (isLink(record)) this.#last = record;
    for (const open of this.#open) open.wait--;
  }

  /** Writes the lines whose turn it is. */
  #drain(): void {
    for (let due = this.#due(); due !== undefined; due = this.#due()) {
      const line = due.lines.shift();
      if (line !== undefined) this.#push(line);
      due.wait = due.gaps.shift() ?? 0;
    }
    this.#open = this.#open.filter(({ lines }) => lines.length > 0);
  }

  #due(): OpenLines | undefined {
    return this.#open.find(({ lines, wait }) => lines.length > 0 && wait <= 0);
  }
}
