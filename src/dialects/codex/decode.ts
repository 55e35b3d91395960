import type { Decoded, JsonRecord } from "../../core/dialect.js";
import type { AgentMessage } from "../../core/types.js";
import { OpenAnswer } from "./decode-answer.js";
import { readCompaction } from "./decode-compaction.js";
import { readMessage, readResult } from "./decode-item.js";
import { readNote } from "./decode-note.js";
import { readSession } from "./decode-session.js";
import type { Surroundings } from "./encode-lines.js";
import { addNotes } from "./notes.js";
import { isLink, isMessageItem, itemIn, kindOf, payloadOf } from "./wire.js";

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  return new UnitReader(unit, { last }).read(last === undefined);
}

export function decodeWritten(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  return new UnitReader(unit, { last, isPlain: true }).read(last === undefined);
}

/** A message, or an answer that may have further lines, and the line on which it begins. */
type Entry = { record: number } & ({ message: AgentMessage } | { answer: OpenAnswer });

class UnitReader {
  readonly #unit: readonly JsonRecord[];
  readonly #entries: Entry[] = [];
  readonly #isHistory: boolean;
  readonly #isPlain: boolean;
  #last: JsonRecord | undefined;
  #open: OpenAnswer | undefined;

  constructor(unit: readonly JsonRecord[], { last, isHistory = false, isPlain = false }: Surroundings) {
    this.#unit = unit;
    this.#last = last;
    this.#isHistory = isHistory;
    this.#isPlain = isPlain;
  }

  read(isStart: boolean): Decoded[] {
    const header = isStart ? this.#readHeader() : 0;
    let index = header;
    while (index < this.#unit.length) {
      const record = this.#unit[index] ?? {};
      const lines = this.#readLine(record, index);
      if (isLink(record)) this.#last = record;
      index += lines;
    }
    this.#noteInnerEchoes();
    const decoded: Decoded[] = [];
    for (const entry of this.#entries) {
      const message = "answer" in entry ? entry.answer.message() : entry.message;
      decoded.push({ message, record: entry.record });
    }
    const first = decoded[0];
    if (isStart && header === 0 && first !== undefined) addNotes(first.message, { headless: true });
    return decoded;
  }

  /** An event with text between the lines of an answer belongs to its unit; after them, it starts another one. */
  #noteInnerEchoes(): void {
    let end = -1;
    for (const entry of this.#entries) {
      if ("answer" in entry) end = Math.max(end, entry.answer.end);
      else if (entry.record < end && kindOf(this.#unit[entry.record] ?? {}) === "echo") {
        addNotes(entry.message, { inner: true });
      }
    }
  }

  /** The session at the start of a file; returns the number of lines that were read. */
  #readHeader(): number {
    const [first, second] = this.#unit;
    if (first === undefined || kindOf(first) !== "session") return 0;
    const titled = second !== undefined && kindOf(second) === "title" ? second : undefined;
    this.#add(readSession(first, titled), 0);
    if (isLink(first)) this.#last = first;
    return titled === undefined ? 1 : 2;
  }

  /** Returns the number of lines that were read. */
  #readLine(record: JsonRecord, index: number): number {
    const next = this.#unit[index + 1];
    const kind = kindOf(record);
    switch (kind) {
      case "context":
        if (next === undefined || !this.#startsAnswer(next, index + 1)) break;
        this.#open = undefined;
        this.#answer(index).add("t", record, index);
        return 1;
      case "echo":
        if (next === undefined || !isEcho(record, next)) break;
        this.#answer(index).add("e", record, index);
        return 1;
      case "answer":
        this.#answer(index).addItem(record, index);
        return 1;
      case "count":
        if (this.#open === undefined || this.#open.isCounted) break;
        this.#open.add("c", record, index);
        this.#open.isCounted = true;
        this.#open.isClosed = true;
        return 1;
      case "result":
        if (this.#open !== undefined) this.#open.isClosed = true;
        this.#add(readResult(record, this.#surroundings), index);
        return 1;
      case "user":
        return this.#readUser(record, index, next);
      default:
        break;
    }
    if (kind !== "loose" && kind !== "echo" && kind !== "count") this.#open = undefined;
    this.#add(this.#readOther(record, index), index);
    return 1;
  }

  #startsAnswer(next: JsonRecord, index: number): boolean {
    const kind = kindOf(next);
    const after = this.#unit[index + 1];
    return kind === "answer" || (kind === "echo" && after !== undefined && isEcho(next, after));
  }

  #readUser(record: JsonRecord, index: number, next: JsonRecord | undefined): number {
    this.#open = undefined;
    const isRepeated = next !== undefined && kindOf(next) === "prompt" && textIn(record) === textIn(next);
    this.#add(readMessage(record, index, this.#surroundings, isRepeated ? next : undefined), index);
    return isRepeated ? 2 : 1;
  }

  #readOther(record: JsonRecord, index: number): AgentMessage {
    const item = itemIn(record);
    if (item !== undefined && isMessageItem(item)) return readMessage(record, index, this.#surroundings);
    if (record["type"] !== "compacted") return readNote(record, index, this.#surroundings);
    const readHistory = (records: readonly JsonRecord[]) =>
      new UnitReader(records, { last: this.#last, isHistory: true }).read(false);
    return readCompaction(record, index, this.#last, readHistory);
  }

  /** The answer that the line belongs to. */
  #answer(index: number): OpenAnswer {
    if (this.#open !== undefined && !this.#open.isClosed) return this.#open;
    const answer = new OpenAnswer(this.#surroundings);
    this.#open = answer;
    this.#entries.push({ record: index, answer });
    return answer;
  }

  #add(message: AgentMessage, record: number): void {
    this.#entries.push({ record, message });
  }

  get #surroundings(): Surroundings {
    return { last: this.#last, isHistory: this.#isHistory, isPlain: this.#isPlain };
  }
}

/** Whether an event repeats the text of the item after it. */
function isEcho(event: JsonRecord, next: JsonRecord): boolean {
  return kindOf(next) === "answer" && textIn(event) === textIn(next);
}

/** The text of an event, or of a message item. */
function textIn(record: JsonRecord): unknown {
  const item = itemIn(record);
  if (item === undefined) return payloadOf(record)["message"];
  if (!isMessageItem(item) || !Array.isArray(item["content"])) return undefined;
  let text = "";
  for (const part of item["content"]) text += textOfPart(part);
  return text;
}

function textOfPart(part: unknown): string {
  const text = typeof part === "object" && part !== null ? Reflect.get(part, "text") : undefined;
  return typeof text === "string" ? text : "";
}
