import type { Folded, FoldLoss, Frame, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { Group } from "./group.js";
import { isDocument, kindOf } from "./wire.js";

interface Line {
  record: JsonRecord;
  index: number;
}

/**
 * Applies the lines that change earlier ones, as Gemini CLI does. Other lines stay as they are: successive versions of a
 * message are one unit, so only messages that are replaced further up or removed are lost.
 */
export function fold(frames: readonly Frame[]): Folded {
  const folder = new Folder();
  const isWhole = frames.filter(({ value }) => isObject(value)).length === 1;
  for (const { value, index } of frames) {
    if (!isObject(value)) folder.lose([index], "the line", "Gemini CLI ignores lines that are not objects");
    else if (isDocument(value) && !isWhole) folder.addDocument(value, index);
    else folder.add(value, index);
  }
  return folder.folded;
}

class Folder {
  /** Undefined for lines that were removed. */
  #lines: (Line | undefined)[] = [];
  /** The indexes in `#lines` of the versions of each message. */
  readonly #places = new Map<string, number[]>();
  /** The group of the last line. */
  #open: Group<Line> | undefined;
  readonly #losses: FoldLoss[] = [];

  get folded(): Folded {
    const lines = this.#lines.filter((line) => line !== undefined);
    return { records: lines.map(({ record: value, index }) => ({ value, index })), losses: this.#losses };
  }

  add(record: JsonRecord, index: number): void {
    const { $rewindTo: target, $set: set, id } = record;
    if (isString(target)) this.#rewind(target, index);
    else if (!isString(id) && isObject(set) && Array.isArray(set["messages"])) this.#replaceAll(set, index);
    else this.#append({ record, index });
  }

  /** A document of an older version to which lines were added. */
  addDocument({ messages, ...header }: JsonRecord, index: number): void {
    this.#append({ record: header, index });
    this.#appendMembers(messages, index);
  }

  lose(frames: readonly number[], what: string, why: string): void {
    const [first = 0] = frames;
    this.#losses.push({ at: `/${first}`, what, why, severity: "dropped", frames });
  }

  #appendMembers(members: unknown, index: number): void {
    for (const member of Array.isArray(members) ? members : []) {
      const isMessage = isObject(member) && isString(member["id"]) && !isString(member["$rewindTo"]);
      if (isMessage) this.#append({ record: member, index });
      else this.lose([index], "a message", "Gemini CLI ignores messages without an id");
    }
  }

  #append(line: Line): void {
    const { id } = line.record;
    const places = isString(id) ? this.#places.get(id) : undefined;
    const canJoin = places === undefined || this.#open?.lines[0].record["id"] === id;
    const isOpen = canJoin && this.#open?.accept(line) === true;
    if (!isOpen && places !== undefined) this.#replace(line, places);
    else {
      if (!isOpen) this.#open = new Group(line);
      if (places !== undefined) places.push(this.#lines.length);
      else if (isString(id)) this.#places.set(id, [this.#lines.length]);
      this.#lines.push(line);
    }
  }

  /** The message keeps its place. */
  #replace(line: Line, places: number[]): void {
    const [first = 0] = places;
    const replaced = places.splice(1).concat(first);
    this.lose(
      replaced.flatMap((place) => this.#lines[place]?.index ?? []),
      "an earlier version of the message",
      "a later line replaces it",
    );
    for (const place of replaced) this.#lines[place] = undefined;
    this.#lines[first] = line;
    this.#open = undefined;
  }

  /** Removes a message and all after it; an unknown id removes all messages. */
  #rewind(target: string, index: number): void {
    const [start = 0] = this.#places.get(target) ?? [];
    const removed = this.#removeFrom(start);
    const lost = [...removed.map((line) => line.index), index];
    this.lose(lost, countOf(removed), "the session was rewound to an earlier message");
  }

  /** All messages are replaced, for example when Gemini CLI compresses the history. */
  #replaceAll({ messages, ...set }: JsonObject, index: number): void {
    const members: unknown[] = Array.isArray(messages) ? messages : [];
    const kept = new Map(members.filter(isObject).map((member) => [member["id"], member]));
    const removed = this.#removeFrom(0).filter(({ record }) => !sameJson(kept.get(record["id"]), record));
    if (removed.length > 0) {
      const lost = removed.map((line) => line.index);
      this.lose(lost, countOf(removed), "a later line replaces all messages");
    }
    if (Object.keys(set).length > 0) this.#append({ record: { $set: set }, index });
    this.#appendMembers(members, index);
  }

  /** Removes the messages from there on. Lines about the session stay. */
  #removeFrom(start: number): Line[] {
    const later = this.#lines.splice(start).filter((line) => line !== undefined);
    const removed = later.filter(({ record }) => isPartOfConversation(record));
    for (const line of later) if (!isPartOfConversation(line.record)) this.#lines.push(line);
    for (const { record } of removed) if (isString(record["id"])) this.#places.delete(record["id"]);
    this.#open = undefined;
    return removed;
  }
}

function isPartOfConversation(record: JsonRecord): boolean {
  const kind = kindOf(record);
  return kind === "message" || kind === "carried";
}

function countOf(lines: readonly Line[]): string {
  const count = new Set(lines.map(({ record }) => record["id"] ?? record)).size;
  return count === 1 ? "a message" : `${count} messages`;
}
