import type { JsonRecord } from "../../core/dialect.js";
import { restore } from "../../core/records/deviation.js";
import { LineInterleaver } from "../../core/records/interleave.js";
import { restoreTreeLine } from "../../core/records/tree-line.js";
import type { AgentMessage } from "../../core/types.js";
import { answerLines } from "./encode-answer.js";
import { compactionLines } from "./encode-compaction.js";
import {
  attachmentLine,
  carriedLine,
  errorLine,
  isAttachment,
  isCarried,
  isLoose,
  isPlaced,
  leafLine,
  ownLine,
  titleLine,
  titleRecord,
} from "./encode-note.js";
import { type UserPart, userLine } from "./encode-user.js";
import { lineBefore } from "./frame.js";
import { isSide, notesOf } from "./notes.js";
import { isLink, joinsUnit, type Role } from "./wire.js";

/**
 * Mirrors the units of lines. A session has no line but that of its title, and a line can have several messages. The first
 * line has the session's fields, so messages without a line do not separate it from the session.
 */
export function joinsMessage(last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if ((last.role === "session" && last.title === undefined) || isMerged(next)) return true;
  if (first.role === "session" && encode([last]).length === 0) return true;
  if (first.role === "session" && last.role !== "session") return joinsFirst(roleOf(last), roleOf(next));
  return joinsUnit(roleOf(last), roleOf(next), roleOf(first), false);
}

/** The unit of the session and the first line. Results and notes are taken for those of an answer that starts it. */
function joinsFirst(last: Role, next: Role): boolean {
  const isAfterAnswer = last.kind === "result" || last.kind === "note";
  return joinsUnit(last, next, isAfterAnswer ? { kind: "answer", isSide: false } : last, false);
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

class UnitWriter {
  readonly #isFirst: boolean;
  readonly #lines = new LineInterleaver((line) => {
    if (isLink(line)) this.#last = line;
  });
  #last: JsonRecord;
  /** Of a unit with several messages on a line. */
  #ends: ReadonlyMap<number, number> | undefined;

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
          this.#lines.add([restore(title, notesOf(message)["title"])]);
        }
        continue;
      }
      const parts = isUserPart(message) ? this.#partsOf(message, unit, index) : [];
      this.#add(message, parts.length > 0 ? userLines(parts, this.#last) : this.#linesOf(message));
      index += Math.max(0, parts.length - 1);
    }
    return this.#lines.finish();
  }

  /** The messages on the same line. */
  #partsOf(first: UserPart, unit: readonly AgentMessage[], start: number): UserPart[] {
    const parts: UserPart[] = [first];
    const next = unit[start + 1];
    // Only a message that is not the last one on its line has a number.
    if (next === undefined || (!isMerged(next) && first.id?.includes("#") !== true)) return parts;
    this.#ends ??= lineEnds(unit);
    for (const message of unit.slice(start + 1, (this.#ends.get(start) ?? start) + 1)) {
      if (isUserPart(message)) parts.push(message);
    }
    return parts;
  }

  #linesOf(message: AgentMessage): JsonRecord[] {
    if (notesOf(message)["carried"] === true) return [];
    switch (message.role) {
      case "assistant":
        return answerLines(message, this.#last);
      case "compaction":
        return compactionLines(message, this.#last);
      default: {
        const ours = noteLine(message, this.#last);
        return ours === undefined ? [] : [restoreTreeLine(ours, notesOf(message), message)];
      }
    }
  }

  #add(message: AgentMessage, lines: readonly JsonRecord[]): void {
    const isCarried = lines.length === 0 && isPlaced(message, this.#last);
    this.#lines.add(isCarried ? [carrierOf(message, this.#last)] : lines, notesOf(message)["gaps"]);
  }
}

/**
 * The last message of each line with several, by the index of the first. A result that was added between two messages of a
 * line is on that line: two lines could not both have its id.
 */
function lineEnds(unit: readonly AgentMessage[]): Map<number, number> {
  const ends = new Map<number, number>();
  const starts = new Map<string, number>();
  let start: number | undefined;
  for (const [index, message] of unit.entries()) {
    if (!isUserPart(message)) {
      starts.clear();
      start = undefined;
      continue;
    }
    const line = message.id?.replace(/#\d+$/, "");
    if (isMerged(message) && start !== undefined) {
      start = (line === undefined ? undefined : starts.get(line)) ?? start;
      ends.set(start, index);
    } else {
      start = index;
      if (line !== undefined) starts.set(line, index);
    }
  }
  return ends;
}

/** The line that carries a message, as it was read. Notes on a line of another kind do not apply. */
function carrierOf(message: AgentMessage, last: JsonRecord): JsonRecord {
  const ours = carriedLine(message, last);
  const line = restoreTreeLine(ours, notesOf(message), message);
  return isCarried(line) ? line : ours;
}

function isUserPart(message: AgentMessage): message is UserPart {
  if (notesOf(message)["carried"] === true) return false;
  return message.role === "toolResult" || (message.role === "user" && !isAttachment(message));
}

function userLines(parts: readonly UserPart[], last: JsonRecord): JsonRecord[] {
  const [first] = parts;
  const ours = userLine(parts, last);
  return ours === undefined || first === undefined ? [] : [restoreTreeLine(ours, notesOf(first), first)];
}

/** The line of a message that is neither a prompt, an answer, a result nor a compaction. */
function noteLine(message: AgentMessage, last: JsonRecord): JsonRecord | undefined {
  switch (message.role) {
    case "error":
      return errorLine(message, last);
    case "system":
    case "user":
      return isAttachment(message) && isPlaced(message, last) ? attachmentLine(message, last) : undefined;
    case "custom":
      return titleLine(message, last) ?? leafLine(message, last) ?? ownLine(message, last);
    default:
      return undefined;
  }
}
