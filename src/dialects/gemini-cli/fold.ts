import type { Folded, FoldLoss, Frame, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { isDocument, joins, kindOf } from "./wire.js";

interface Line {
  value: JsonRecord;
  index: number;
}

/**
 * Applies the lines that change earlier ones, as Gemini CLI does. Other lines stay as they are: successive versions of a
 * message are one unit, so only replaced messages further up and removed messages are lost.
 */
export function fold(frames: readonly Frame[]): Folded {
  const folder = new Folder();
  const isWhole = frames.length === 1;
  for (const { value, index } of frames) {
    if (!isObject(value)) folder.lose([index], "the line", "Gemini CLI ignores lines that are not objects");
    else if (isDocument(value) && !isWhole) folder.addDocument(value, index);
    else folder.add(value, index);
  }
  return { records: folder.groups.flat(), losses: folder.losses };
}

/** Consecutive lines that are one unit. */
type Group = Line[];

class Folder {
  groups: Group[] = [];
  readonly losses: FoldLoss[] = [];
  /** By the id of a message. A copy of results has its own id. */
  #byId = new Map<string, Group>();

  add(value: JsonRecord, index: number): void {
    const { $rewindTo: target, $set: set, id } = value;
    if (isString(target)) this.#rewind(target, index);
    else if (!isString(id) && isObject(set) && Array.isArray(set["messages"])) this.#replace(set, index);
    else this.#append({ value, index });
  }

  /** A document of an older version to which lines were added. */
  addDocument({ messages, ...header }: JsonRecord, index: number): void {
    this.#append({ value: header, index });
    for (const message of Array.isArray(messages) ? messages : []) this.#appendMember(message, index);
  }

  lose(frames: readonly number[], what: string, why: string): void {
    const [first = 0] = frames;
    this.losses.push({ at: `/${first}`, what, why, severity: "dropped", frames });
  }

  #appendMember(message: unknown, index: number): void {
    if (isObject(message)) this.#append({ value: message, index });
    else this.lose([index], "a message", "it is not an object");
  }

  #append(line: Line): void {
    const { id } = line.value;
    const open = this.groups.at(-1);
    const earlier = isString(id) ? this.#byId.get(id) : undefined;
    if (open !== undefined && isJoined(open, line)) open.push(line);
    else if (earlier === undefined) this.groups.push([line]);
    else {
      const replaced = earlier.splice(0, earlier.length, line);
      this.lose(indexesOf(replaced), "an earlier version of the message", "a later line replaces it");
    }
    const group = earlier ?? this.groups.at(-1);
    if (isString(id) && group !== undefined) this.#byId.set(id, group);
  }

  /** Removes a message and everything after it; an unknown id removes all messages. */
  #rewind(target: string, index: number): void {
    const group = this.#byId.get(target);
    const start = group === undefined ? 0 : this.groups.indexOf(group);
    const removed: Line[] = [];
    const later = this.groups.splice(start).flatMap((lines): Group[] => {
      if (isHeaderGroup(lines)) return [lines];
      const cut = lines === group ? lines.findIndex(({ value }) => value["id"] === target) : 0;
      removed.push(...lines.splice(Math.max(0, cut)));
      return lines.length > 0 ? [lines] : [];
    });
    this.groups.push(...later);
    for (const { value } of removed) if (isString(value["id"])) this.#byId.delete(value["id"]);
    const why = "the session was rewound to an earlier message";
    this.lose([...indexesOf(removed), index], namedAll(removed), why);
  }

  /** All messages are replaced, for example when Gemini CLI compresses the history. */
  #replace({ messages, ...set }: JsonObject, index: number): void {
    const members: unknown[] = Array.isArray(messages) ? messages : [];
    const kept = new Map(members.filter(isObject).map((member) => [member["id"], member]));
    const removed = this.groups
      .filter((lines) => !isHeaderGroup(lines))
      .flat()
      .filter(({ value }) => isString(value["id"]) && !sameJson(kept.get(value["id"]), value));
    this.groups = this.groups.filter(isHeaderGroup);
    this.#byId = new Map();
    if (removed.length > 0) {
      this.lose(indexesOf(removed), namedAll(removed), "a later line replaces all messages");
    }
    if (Object.keys(set).length > 0) this.#append({ value: { $set: set }, index });
    for (const member of members) this.#appendMember(member, index);
  }
}

function isJoined(open: Group, { value }: Line): boolean {
  const [first, last] = [open[0], open.at(-1)];
  return first !== undefined && last !== undefined && joins(last.value, value, first.value);
}

function isHeaderGroup([first]: Group): boolean {
  return first !== undefined && kindOf(first.value) === "header";
}

function indexesOf(lines: readonly Line[]): number[] {
  return lines.map(({ index }) => index);
}

function namedAll(lines: readonly Line[]): string {
  const ids = new Set(lines.map(({ value }) => value["id"]).filter(isString));
  return ids.size === 1 ? "a message" : `${ids.size} messages`;
}
