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

class Folder {
  groups: Line[][] = [];
  readonly losses: FoldLoss[] = [];

  add(value: JsonRecord, index: number): void {
    const { $rewindTo: target, $set: set } = value;
    if (isString(target)) this.#rewind(target, index);
    else if (!isString(value["id"]) && isObject(set) && Array.isArray(set["messages"]))
      this.#replace(set, index);
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
    const open = this.groups.at(-1);
    const [first, last] = [open?.[0], open?.at(-1)];
    if (open !== undefined && first !== undefined && last !== undefined) {
      if (joins(last.value, line.value, first.value)) {
        open.push(line);
        return;
      }
    }
    const earlier = this.#find(line.value["id"]);
    if (earlier === undefined) {
      this.groups.push([line]);
      return;
    }
    const lines = this.groups[earlier.group] ?? [];
    this.lose(indexesOf(lines), "an earlier version of the message", "a later line replaces it");
    this.groups[earlier.group] = [line];
  }

  /** The place of a message. A copy of results has its own id. */
  #find(id: unknown): { group: number; line: number } | undefined {
    if (!isString(id)) return undefined;
    for (const [group, lines] of this.groups.entries()) {
      const line = lines.findIndex(({ value }) => value["id"] === id);
      if (line >= 0) return { group, line };
    }
    return undefined;
  }

  /** Removes a message and everything after it; an unknown id removes all messages. */
  #rewind(target: string, index: number): void {
    const place = this.#find(target) ?? { group: 0, line: 0 };
    const removed: Line[] = [];
    this.groups = this.groups.flatMap((lines, group) => {
      const [first] = lines;
      const isKept = group < place.group || (first !== undefined && kindOf(first.value) === "header");
      if (isKept) return [lines];
      const kept = group === place.group ? lines.slice(0, place.line) : [];
      removed.push(...lines.slice(kept.length));
      return kept.length > 0 ? [kept] : [];
    });
    const why = "the session was rewound to an earlier message";
    this.lose([...indexesOf(removed), index], namedAll(removed), why);
  }

  /** All messages are replaced, for example when Gemini CLI compresses the history. */
  #replace({ messages, ...set }: JsonObject, index: number): void {
    const members: unknown[] = Array.isArray(messages) ? messages : [];
    const isHeader = ([first]: Line[]) => first !== undefined && kindOf(first.value) === "header";
    const removed = this.groups
      .filter((lines) => !isHeader(lines))
      .flat()
      .filter(({ value }) => isString(value["id"]) && !members.some((member) => sameJson(member, value)));
    this.groups = this.groups.filter(isHeader);
    if (removed.length > 0) {
      this.lose(indexesOf(removed), namedAll(removed), "a later line replaces all messages");
    }
    if (Object.keys(set).length > 0) this.#append({ value: { $set: set }, index });
    for (const member of members) this.#appendMember(member, index);
  }
}

function indexesOf(lines: readonly Line[]): number[] {
  return lines.map(({ index }) => index);
}

function namedAll(lines: readonly Line[]): string {
  const ids = new Set(lines.map(({ value }) => value["id"]).filter(isString));
  return ids.size === 1 ? "a message" : `${ids.size} messages`;
}
