import type { JsonRecord } from "../../core/dialect.js";
import { restore } from "../../core/records/deviation.js";
import { LineInterleaver } from "../../core/records/interleave.js";
import type { AgentMessage } from "../../core/types.js";
import { compactionLine } from "./encode-compaction.js";
import { linesOf } from "./encode-lines.js";
import { carriedLine, customLine, errorLine } from "./encode-note.js";
import { derivedHeader, sessionLines } from "./encode-session.js";
import { notesOf, restoreLines } from "./notes.js";
import { isLink, kindOf } from "./wire.js";

/** An answer is written together with its results and the events between its items. */
export function joinsMessage(_last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if (first.role !== "assistant" || isCarried(first)) return false;
  return next.role === "toolResult" ? !isCarried(next) : isLoose(next);
}

function isCarried(message: AgentMessage): boolean {
  return notesOf(message)["carried"] === true;
}

/** Whether a message is carried unless its notes name another form. */
export function isCarriedByDefault(message: AgentMessage): boolean {
  return new UnitWriter(undefined).linesOf(message) === undefined;
}

function isLoose(message: AgentMessage): boolean {
  const line = message.role === "custom" ? customLine(message, undefined) : undefined;
  const kind = line === undefined ? undefined : kindOf(line);
  return kind === "loose" || kind === "count" || (kind === "echo" && notesOf(message)["inner"] === true);
}

export function encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  return unit.length === 0 ? derivedHeader(next) : new UnitWriter(last).write(unit);
}

class UnitWriter {
  readonly #isFirst: boolean;
  readonly #lines = new LineInterleaver((line) => {
    if (isLink(line)) this.#last = line;
  });
  #last: JsonRecord | undefined;

  constructor(last: JsonRecord | undefined) {
    this.#isFirst = last === undefined;
    this.#last = last;
  }

  write(unit: readonly AgentMessage[]): JsonRecord[] {
    let isStart = this.#isFirst;
    for (const message of unit) {
      if (isStart && message.role === "session" && !isCarried(message)) this.#lines.add(sessionLines(message));
      else this.#add(message);
      isStart = false;
    }
    return this.#lines.finish();
  }

  #add(message: AgentMessage): void {
    const written = isCarried(message) ? undefined : this.linesOf(message);
    const lines = written ?? [restore(carriedLine(message, this.#last), notesOf(message))];
    // A call comes before its result; only the tokens of an answer may follow the results.
    if (message.role === "toolResult") this.#lines.flush((line) => kindOf(line) === "count");
    this.#lines.add(lines, notesOf(message)["gaps"]);
  }

  /** Undefined if Codex has no line for the message. */
  linesOf(message: AgentMessage): JsonRecord[] | undefined {
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
}
