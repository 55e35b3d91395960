import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isEmpty, isString } from "../../core/json/value.js";
import { differencesOf } from "../../core/records/differences.js";
import type { AgentMessage } from "../../core/types.js";
import { readAnswer, type UnitLine } from "./decode-answer.js";
import { readCompaction, summaryOf } from "./decode-compaction.js";
import { readLoose, readNote } from "./decode-note.js";
import { readUser } from "./decode-user.js";
import { titleRecord } from "./encode-note.js";
import { lineBefore, readSession } from "./frame.js";
import { addNotes } from "./notes.js";
import { skimAnswer, skimUser } from "./skim.js";
import { answerId, isLink, kindOf } from "./wire.js";

/** How lines are read. */
interface LineReaders {
  answer: typeof readAnswer;
  user: typeof readUser;
  /** Whether to note how lines differ from those that we would write. */
  isNoting: boolean;
}

const complete: LineReaders = { answer: readAnswer, user: readUser, isNoting: true };
const withoutNotes: LineReaders = { answer: readAnswer, user: readUser, isNoting: false };
const skimming: LineReaders = { answer: skimAnswer, user: skimUser, isNoting: true };

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  return readUnit(unit, last, complete);
}

export function decodeWritten(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  return readUnit(unit, last, withoutNotes);
}

export function skim(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  return readUnit(unit, last, skimming);
}

function readUnit(
  unit: readonly JsonRecord[],
  last: JsonRecord | undefined,
  readers: LineReaders,
): Decoded[] {
  const reader = new UnitReader(unit, readers);
  return last === undefined ? reader.readFirst() : reader.read(lineBefore(last), 0);
}

/** The messages after an answer, which follow each other although their lines may all name the answer as their parent. */
interface Chain {
  tail: string;
}

class UnitReader {
  readonly #unit: readonly UnitLine[];
  readonly #readers: LineReaders;
  /** By the index of its first line: all lines of an answer, or of a compaction. */
  readonly #groups: ReadonlyMap<number, UnitLine[]>;
  readonly #grouped: ReadonlySet<UnitLine>;
  readonly #chains = new Map<string, Chain>();

  constructor(unit: readonly JsonRecord[], readers: LineReaders) {
    this.#readers = readers;
    this.#unit = unit.map((record, index) => ({ record, index }));
    this.#groups = groupLines(this.#unit);
    const grouped = new Set<UnitLine>();
    for (const [, ...others] of this.#groups.values()) for (const line of others) grouped.add(line);
    this.#grouped = grouped;
  }

  /** The first unit of a file also has the session. */
  readFirst(): Decoded[] {
    const [first] = this.#unit;
    if (first === undefined) return [];
    const { type, customTitle } = first.record;
    const title = type === "custom-title" && isString(customTitle) ? customTitle : undefined;
    const records = this.#unit.map(({ record }) => record);
    const session = readSession(records, title);
    const last = lineBefore(undefined, session);
    if (title === undefined) return [{ message: session, record: 0 }, ...this.read(last, 0)];
    const ours = titleRecord("custom-title", "customTitle", title, last);
    const notes = differencesOf(first.record, ours);
    if (!isEmpty(notes)) addNotes(session, { title: notes });
    return [{ message: session, record: 0 }, ...this.read(last, 1)];
  }

  read(first: JsonRecord, start: number): Decoded[] {
    const decoded: Decoded[] = [];
    let last = first;
    for (let index = start; index < this.#unit.length; index++) {
      const line = this.#unit[index];
      if (line === undefined) break;
      if (!this.#grouped.has(line)) {
        const before = this.#readers.isNoting ? last : undefined;
        for (const message of this.#readLine(line, before)) decoded.push({ message, record: line.index });
      }
      if (isLink(line.record)) last = line.record;
    }
    return decoded;
  }

  /** `last` is the line before; without it, nothing is noted. */
  #readLine(line: UnitLine, last: JsonRecord | undefined): AgentMessage[] {
    const lines = this.#groups.get(line.index) ?? [line];
    switch (kindOf(line.record)) {
      case "answer":
        return [this.#readAnswer(lines, last)];
      case "prompt":
      case "result":
      case "summary":
        return this.#readers.user(line, this.#follow(line.record), last);
      case "boundary":
        return [readCompaction(line, lines[1], last)];
      case "note":
        return [readNote(line, this.#follow(line.record), last)];
      case "loose":
        return [readLoose(line, last)];
    }
  }

  #readAnswer(lines: readonly UnitLine[], last: JsonRecord | undefined): AgentMessage {
    const [first] = lines;
    const parentId = first === undefined ? undefined : this.#follow(first.record);
    const message = this.#readers.answer(lines, parentId, last);
    if (message.id === undefined) return message;
    const chain = { tail: message.id };
    for (const { record } of lines) if (isString(record["uuid"])) this.#chains.set(record["uuid"], chain);
    return message;
  }

  /** The message that a line follows: the last one after the answer that its parent belongs to. */
  #follow({ uuid, parentUuid }: JsonRecord): string | null | undefined {
    if (parentUuid !== null && !isString(parentUuid)) return undefined;
    const chain = parentUuid === null ? undefined : this.#chains.get(parentUuid);
    if (chain === undefined) return parentUuid;
    const { tail } = chain;
    if (isString(uuid)) {
      chain.tail = uuid;
      this.#chains.set(uuid, chain);
    }
    return tail;
  }
}

/** Groups the lines of each answer, and a boundary with its summary. A repeated line starts a new answer. */
function groupLines(unit: readonly UnitLine[]): Map<number, UnitLine[]> {
  const groups = new Map<number, UnitLine[]>();
  if (unit.length < 2) return groups;
  const answers = new Map<string, { lines: UnitLine[]; uuids: Set<unknown> }>();
  let boundary: UnitLine | undefined;
  for (const line of unit) {
    const kind = kindOf(line.record);
    if (kind === "boundary") boundary = line;
    if (kind === "summary" && boundary !== undefined && summaryOf(boundary, line) !== undefined) {
      groups.set(boundary.index, [boundary, line]);
      boundary = undefined;
    }
    const id = kind === "answer" ? answerId(line.record) : undefined;
    if (id === undefined) continue;
    const { uuid, isSidechain } = line.record;
    const key = `${isSidechain === true} ${id}`;
    const known = answers.get(key);
    if (known !== undefined && !known.uuids.has(uuid)) {
      known.lines.push(line);
      known.uuids.add(uuid);
    } else {
      const lines = [line];
      answers.set(key, { lines, uuids: new Set([uuid]) });
      groups.set(line.index, lines);
    }
  }
  return groups;
}
