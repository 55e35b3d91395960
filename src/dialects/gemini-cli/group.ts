import type { JsonRecord } from "../../core/dialect.js";
import { isObject, sameJson } from "../../core/json/value.js";
import { type ResponseGroup, responsesIn } from "../../core/records/content-parts.js";
import { isPlainSet, joins } from "./wire.js";

/**
 * Consecutive lines that are read together: the versions of a message, changes of the header between them, and copies of the
 * results that its last version has. A header and the changes after it are a group, and so is any other line.
 */
export class Group<T extends { record: JsonRecord }> {
  readonly lines: [T, ...T[]];
  #latest: JsonRecord;
  #hasCopy = false;

  constructor(first: T) {
    this.lines = [first];
    this.#latest = first.record;
  }

  /** Adds a line if it belongs to the group. */
  accept(line: T): boolean {
    if (!this.#includes(line.record)) return false;
    this.lines.push(line);
    return true;
  }

  #includes(record: JsonRecord): boolean {
    const { record: first } = this.lines[0];
    if (!joins(this.#latest, record, first)) return false;
    if (isPlainSet(record)) return true;
    if (record["id"] !== first["id"]) {
      const isOurs = isCopy(record, this.#latest);
      this.#hasCopy ||= isOurs;
      return isOurs;
    }
    if (this.#hasCopy) return false;
    this.#latest = record;
    return true;
  }
}

/** The lines in groups. */
export function groupLines<T extends { record: JsonRecord }>(lines: readonly T[]): Group<T>[] {
  const groups: Group<T>[] = [];
  for (const line of lines) if (groups.at(-1)?.accept(line) !== true) groups.push(new Group(line));
  return groups;
}

/** Whether every response of a line is also in the record of its call. */
function isCopy({ content }: JsonRecord, { type, toolCalls: calls }: JsonRecord): boolean {
  if (type !== "gemini" || !Array.isArray(calls)) return false;
  const stored = calls.flatMap((call: unknown) =>
    isObject(call) ? (responsesIn(call["result"]) ?? []) : [],
  );
  const isStored = ({ response }: ResponseGroup) => stored.some((one) => sameJson(one.response, response));
  return responsesIn(content)?.every(isStored) === true;
}
