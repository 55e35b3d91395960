import type { UnitLine } from "./decode-answer.js";
import { summaryOf } from "./decode-compaction.js";
import { answerId, type Kind } from "./wire.js";

/** By the index of a line: all lines of the message that begins with it, or `earlier` if an earlier line begins it. */
type Groups = (UnitLine[] | "earlier" | undefined)[];

/**
 * Groups the lines of each answer, and a boundary with its summary; undefined if each line is on its own. A repeated line
 * starts a new answer.
 */
export function groupLines(unit: readonly UnitLine[], kinds: readonly Kind[]): Groups | undefined {
  if (unit.length < 2) return undefined;
  const groups: Groups = [];
  const answers = new Answers();
  let boundary: UnitLine | undefined;
  let isGrouped = false;
  for (const line of unit) {
    const kind = kinds[line.index];
    if (kind === "answer") {
      const lines = answers.add(line);
      if (lines === undefined) continue;
      groups[lines[0]?.index ?? 0] = lines;
    } else if (kind === "boundary") {
      boundary = line;
      continue;
    } else {
      if (kind !== "summary" || boundary === undefined || summaryOf(boundary, line) === undefined) continue;
      groups[boundary.index] = [boundary, line];
      boundary = undefined;
    }
    groups[line.index] = "earlier";
    isGrouped = true;
  }
  return isGrouped ? groups : undefined;
}

interface Answer {
  id: string;
  isSide: boolean;
  lines: UnitLine[];
  /** Of a long answer. Most have few lines, which are compared one by one. */
  uuids: Set<unknown> | undefined;
}

const MANY_LINES = 8;

/** The answers of a unit. Most units have one. */
class Answers {
  #last: Answer | undefined;
  #byKey: Map<string, Answer> | undefined;

  /** All lines of the answer so far; undefined if this line begins one. */
  add(line: UnitLine): UnitLine[] | undefined {
    const { record } = line;
    const id = answerId(record);
    if (id === undefined) return undefined;
    const isSide = record["isSidechain"] === true;
    const known = this.#find(id, isSide);
    if (known !== undefined && addLine(known, line)) return known.lines;
    this.#begin({ id, isSide, lines: [line], uuids: undefined });
    return undefined;
  }

  #find(id: string, isSide: boolean): Answer | undefined {
    const last = this.#last;
    if (last !== undefined && last.id === id && last.isSide === isSide) return last;
    return this.#byKey?.get(keyOf(id, isSide));
  }

  #begin(answer: Answer): void {
    if (this.#last !== undefined) {
      this.#byKey ??= new Map([[keyOf(this.#last.id, this.#last.isSide), this.#last]]);
      this.#byKey.set(keyOf(answer.id, answer.isSide), answer);
    }
    this.#last = answer;
  }
}

function keyOf(id: string, isSide: boolean): string {
  return `${isSide} ${id}`;
}

/** Adds a line unless the answer has it already. */
function addLine(answer: Answer, line: UnitLine): boolean {
  const { lines } = answer;
  const uuid = line.record["uuid"];
  if (answer.uuids?.has(uuid) === true) return false;
  if (answer.uuids === undefined) {
    for (const { record } of lines) if (record["uuid"] === uuid) return false;
    if (lines.length === MANY_LINES) answer.uuids = new Set(lines.map(({ record }) => record["uuid"]));
  }
  answer.uuids?.add(uuid);
  lines.push(line);
  return true;
}
