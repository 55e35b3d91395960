import type { JsonRecord } from "../../core/dialect.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { KeptPart } from "./notes.js";
import { NOISE } from "./wire.js";

/** A message's parts: those that are kept in its notes, and all others. */
export function partsOf(
  { parts }: JsonRecord,
  at: string,
  isKept: (part: JsonObject) => boolean = ({ type }) => NOISE.has(type),
): { kept: KeptPart[]; others: KeptPart[] } {
  if (!Array.isArray(parts)) throw unexpected(`${at}/parts`, "an array of parts", parts);
  const [kept, others]: [KeptPart[], KeptPart[]] = [[], []];
  for (const [place, part] of parts.entries()) {
    if (!isObject(part)) throw unexpected(`${at}/parts/${place}`, "a part: an object", part);
    (isKept(part) ? kept : others).push({ place, part });
  }
  return { kept, others };
}

export function withoutParts({ parts: _, ...record }: JsonRecord): JsonRecord {
  return record;
}

/** All parts of a message: the kept ones at their places, and between them those of the blocks that can be written. */
export function joinParts<B>(
  blocks: readonly B[],
  kept: readonly KeptPart[],
  write: (block: B, place: number) => JsonObject | undefined,
): JsonObject[] {
  const parts: JsonObject[] = [];
  const waiting = [...kept];
  const addKept = () => {
    while (waiting[0] !== undefined && waiting[0].place <= parts.length) {
      parts.push(waiting[0].part);
      waiting.shift();
    }
  };
  for (const block of blocks) {
    addKept();
    const part = write(block, parts.length);
    if (part !== undefined) parts.push(part);
  }
  return [...parts, ...waiting.map(({ part }) => part)];
}
