import type { JsonRecord } from "../../core/dialect.js";
import { restore } from "../../core/records/deviation.js";
import type { AgentMessage } from "../../core/types.js";
import { answerLines } from "./encode-answer.js";
import { compactionLines } from "./encode-compaction.js";
import {
  attachmentLine,
  carriedLine,
  errorLine,
  isAttachment,
  isLoose,
  leafLine,
  ownLine,
  titleLine,
  titleRecord,
} from "./encode-note.js";
import { type UserPart, userLine } from "./encode-user.js";
import { lineBefore } from "./frame.js";
import { isSide, notesOf, numbersIn, restoreLine } from "./notes.js";
import { isLink, joinsUnit, type Role } from "./wire.js";

/** Mirrors the units of lines. A session has no line of its own, and a line can have several messages. */
export function joinsMessage(last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if (last.role === "session" || isMerged(next)) return true;
  return joinsUnit(roleOf(last), roleOf(next), roleOf(first), false);
}

function roleOf(message: AgentMessage): Role {
  return { kind: isLoose(message) ? "loose" : kindIn(message), isSide: isSide(message) };
}

function kindIn(message: AgentMessage): Role["kind"] {
  switch (message.role) {
    case "assistant":
      return "answer";
    case "toolResult":
      return "result";
    case "compaction":
      return "boundary";
    case "user":
      return isAttachment(message) ? "note" : "prompt";
    default:
      return "note";
  }
}

function isMerged(message: AgentMessage): message is UserPart {
  return (message.role === "user" || message.role === "toolResult") && notesOf(message)["merged"] === true;
}

export function encode(unit: readonly AgentMessage[], _next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  return new UnitWriter(last).write(unit);
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
  #last: JsonRecord;
  #open: OpenLines[] = [];

  constructor(last: JsonRecord | undefined) {
    this.#isFirst = last === undefined;
    this.#last = lineBefore(last);
  }

  write(unit: readonly AgentMessage[]): JsonRecord[] {
    for (let index = 0; index < unit.length; index++) {
      const message = unit[index];
      if (message === undefined) continue;
      if (message.role === "session" && this.#isFirst && index === 0) {
        this.#last = lineBefore(undefined, message);
        if (message.title !== undefined) {
          const title = titleRecord("custom-title", "customTitle", message.title, this.#last);
          this.#push(restore(title, notesOf(message)["title"]));
        }
        continue;
      }
      const parts = isUserPart(message) ? this.#partsOf(message, unit, index) : [];
      this.#add(message, parts.length > 0 ? userLines(parts, this.#last) : this.#linesOf(message));
      index += Math.max(0, parts.length - 1);
    }
    for (const { lines } of this.#open) for (const line of lines) this.#push(line);
    return this.#records;
  }

  /** The messages on the same line. */
  #partsOf(first: UserPart, unit: readonly AgentMessage[], start: number): UserPart[] {
    const parts: UserPart[] = [first];
    for (let index = start + 1; index < unit.length; index++) {
      const next = unit[index];
      if (next === undefined || !isMerged(next)) break;
      parts.push(next);
    }
    return parts;
  }

  #linesOf(message: AgentMessage): JsonRecord[] {
    switch (message.role) {
      case "assistant":
        return answerLines(message, this.#last);
      case "compaction":
        return compactionLines(message, this.#last);
      default: {
        const ours = noteLine(message, this.#last);
        return ours === undefined ? [] : [restoreLine(ours, notesOf(message), message)];
      }
    }
  }

  #add(message: AgentMessage, lines: readonly JsonRecord[]): void {
    const carried = lines.length > 0 ? undefined : carriedLine(message, this.#last);
    const [first, ...others] = carried === undefined ? lines : [carried];
    if (first === undefined) return;
    this.#push(first);
    const [wait = 0, ...gaps] = numbersIn(notesOf(message)["gaps"]);
    if (others.length > 0) this.#open.push({ lines: others, gaps, wait });
    this.#drain();
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

function isUserPart(message: AgentMessage): message is UserPart {
  return message.role === "toolResult" || (message.role === "user" && !isAttachment(message));
}

function userLines(parts: readonly UserPart[], last: JsonRecord): JsonRecord[] {
  const [first] = parts;
  const ours = userLine(parts, last);
  return ours === undefined || first === undefined ? [] : [restoreLine(ours, notesOf(first), first)];
}

/** The line of a message that is neither a prompt, an answer, a result nor a compaction. */
function noteLine(message: AgentMessage, last: JsonRecord): JsonRecord | undefined {
  switch (message.role) {
    case "error":
      return errorLine(message, last);
    case "system":
    case "user":
      // Before the first prompt there is no place for text of the program.
      return isAttachment(message) && isPlaced(message, last) ? attachmentLine(message, last) : undefined;
    case "custom":
      return titleLine(message, last) ?? leafLine(message, last) ?? ownLine(message, last);
    default:
      return undefined;
  }
}

function isPlaced(message: AgentMessage, last: JsonRecord): boolean {
  return isLink(last) || notesOf(message)["inside"] !== undefined;
}
