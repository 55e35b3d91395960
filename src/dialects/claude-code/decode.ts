import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isEmpty, isString } from "../../core/json/value.js";
import { differencesOf } from "../../core/records/differences.js";
import type { AgentMessage } from "../../core/types.js";
import { readAnswer, type UnitLine } from "./decode-answer.js";
import { readCompaction } from "./decode-compaction.js";
import { readLoose, readNote } from "./decode-note.js";
import { readUser } from "./decode-user.js";
import { titleRecord } from "./encode-note.js";
import { lineBefore, readSession } from "./frame.js";
import { groupLines } from "./group-lines.js";
import { addNotes } from "./notes.js";
import { skimAnswer, skimCompaction, skimNote, skimUser } from "./skim.js";
import { isLink, type Kind, kindOf } from "./wire.js";

/** How lines are read. */
interface LineReaders {
  answer: typeof readAnswer;
  user: typeof readUser;
  compaction: typeof readCompaction;
  note: typeof readNote;
  /** Whether to note how lines differ from those that we would write. */
  isNoting: boolean;
}

const readers = { answer: readAnswer, user: readUser, compaction: readCompaction, note: readNote };
const complete: LineReaders = { ...readers, isNoting: true };
const withoutNotes: LineReaders = { ...readers, isNoting: false };
const skimming: LineReaders = {
  answer: skimAnswer,
  user: skimUser,
  compaction: skimCompaction,
  note: skimNote,
  isNoting: false,
};

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
  readonly #kinds: readonly Kind[];
  readonly #readers: LineReaders;
  readonly #groups: ReturnType<typeof groupLines>;
  readonly #chains: Map<string, Chain> | undefined;

  constructor(unit: readonly JsonRecord[], readers: LineReaders) {
    // Not `map`: arrays of a conversion have one kind (decision 410).
    const lines: UnitLine[] = [];
    const kinds: Kind[] = [];
    for (const record of unit) {
      lines.push({ record, index: lines.length });
      kinds.push(kindOf(record));
    }
    this.#readers = readers;
    this.#unit = lines;
    this.#kinds = kinds;
    this.#groups = groupLines(lines, kinds);
    this.#chains = lines.length > 1 ? new Map() : undefined;
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
      const lines = this.#groups?.[index];
      if (lines !== "earlier") {
        const before = this.#readers.isNoting ? last : undefined;
        this.#readLine(line, lines ?? [line], before, decoded);
      }
      if (isLink(line.record)) last = line.record;
    }
    return decoded;
  }

  /** Adds the messages of a line, with the others of its group. `last` is the line before; without it, nothing is noted. */
  #readLine(
    line: UnitLine,
    lines: readonly UnitLine[],
    last: JsonRecord | undefined,
    decoded: Decoded[],
  ): void {
    const { record, index } = line;
    switch (this.#kinds[index]) {
      case "answer":
        decoded.push({ message: this.#readAnswer(lines, last), record: index });
        break;
      case "prompt":
      case "result":
      case "summary":
        for (const message of this.#readers.user(line, this.#follow(record), last))
          decoded.push({ message, record: index });
        break;
      case "boundary":
        decoded.push({ message: this.#readers.compaction(line, lines[1], last), record: index });
        break;
      case "note":
        decoded.push({ message: this.#readers.note(line, this.#follow(record), last), record: index });
        break;
      default:
        decoded.push({ message: readLoose(line, last), record: index });
    }
  }

  #readAnswer(lines: readonly UnitLine[], last: JsonRecord | undefined): AgentMessage {
    const first = lines[0];
    const parentId = first === undefined ? undefined : this.#follow(first.record);
    const message = this.#readers.answer(lines, parentId, last);
    const chains = this.#chains;
    if (message.id === undefined || chains === undefined) return message;
    const chain = { tail: message.id };
    for (const { record } of lines) if (isString(record["uuid"])) chains.set(record["uuid"], chain);
    return message;
  }

  /** The message that a line follows: the last one after the answer that its parent belongs to. */
  #follow({ uuid, parentUuid }: JsonRecord): string | null | undefined {
    if (parentUuid !== null && !isString(parentUuid)) return undefined;
    const chain = parentUuid === null ? undefined : this.#chains?.get(parentUuid);
    if (chain === undefined) return parentUuid;
    const { tail } = chain;
    if (isString(uuid)) {
      chain.tail = uuid;
      this.#chains?.set(uuid, chain);
    }
    return tail;
  }
}
