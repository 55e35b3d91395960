import { DragomanError } from "../error.js";
import { copyOf, isObject, type JsonObject, setOwn } from "../json/value.js";
import { impliedStop, neutralOrigin } from "../message/neutral.js";
import type { AgentMessage, AssistantContent, Ext, UserContent } from "../types.js";
import { is, mismatches } from "../validate.js";
import { fromPointers, restore } from "./deviation.js";

/** What a source left out, or wrote in a way the model cannot represent: enough to restore the record. In `ext`. */
interface Deviations {
  /** Pointers to missing fields. */
  absent?: string[];
  /** The original values of replaced fields, by pointer. */
  was?: Record<string, unknown>;
}

/** The required fields of each role with their neutral values. A map, because a role can be called `toString`. */
const required = new Map<string, (record: JsonObject) => JsonObject>([
  ["user", () => ({ content: [], timestamp: 0 })],
  ["assistant", ({ content }) => ({ content: [], ...neutralOrigin(blocksIn(content)), timestamp: 0 })],
  ["toolResult", () => ({ toolCallId: "", toolName: "", content: [], isError: false, timestamp: 0 })],
]);

const stopReasons = new Set(["stop", "length", "toolUse", "error", "aborted"]);
const blockTypes = new Set(["text", "thinking", "image", "toolCall", "audio", "file", "opaque"]);

/**
 * Reads a record that is almost a message of the model: fills missing fields with neutral values (listed in
 * `ext.synthesised`), wraps unknown blocks as `opaque`, and notes both so that `release` can undo it.
 * A record that is already a message, as most are, is returned without a copy.
 * Throws `model/invalid` for what cannot be read as a message; `at` is the record's pointer in its unit.
 */
export function admit(record: JsonObject, dialect: string, at = "/0"): AgentMessage {
  const neutralOf =
    typeof record["role"] === "string" ? required.get(record["role"]) : () => ({ timestamp: 0 });
  if (
    neutralOf !== undefined &&
    hasPlainContent(record, dialect) &&
    !hasNotes(record["ext"], dialect) &&
    is("AgentMessage", record)
  ) {
    return record;
  }
  const message = copyOf(record);
  const deviations: Deviations = {};
  const neutral = neutralOf?.(record);
  if (neutral !== undefined) fill(message, neutral, "", deviations);
  if (typeof message["stopReason"] === "string" && !stopReasons.has(message["stopReason"])) {
    replace(message, "stopReason", impliedStop(blocksIn(record["content"])), deviations);
  }
  if (message["content"] === null) replace(message, "content", [], deviations);
  if (Array.isArray(message["content"])) {
    // A block that is already `opaque` for this dialect is wrapped again, so that unwrapping restores it.
    message["content"] = message["content"].map((block) =>
      isPlain(block, dialect) ? block : { type: "opaque", dialect, value: block },
    );
  }
  note(message, dialect, deviations);
  if (is("AgentMessage", message)) return message;
  const [first] = mismatches("AgentMessage", message);
  throw new DragomanError("model/invalid", `expected ${first?.expected}, found ${first?.found}`, {
    at: `${at}${first?.at ?? ""}`,
  });
}

/** The record that `admit` was given: the message itself if nothing was changed. */
export function release(message: AgentMessage, dialect: string): JsonObject {
  const { ext } = message;
  const record: JsonObject = isObject(ext?.[dialect]) ? withoutNotes(message, ext, dialect) : message;
  if (!Array.isArray(record["content"])) return record;
  const content = unwrapKnown(record["content"], dialect);
  return content === record["content"] ? record : { ...record, content };
}

function withoutNotes(message: AgentMessage, noted: Ext, dialect: string): JsonObject {
  const record: JsonObject = { ...message };
  const { deviations, ext } = splitNotes(noted, dialect);
  if (ext === undefined) Reflect.deleteProperty(record, "ext");
  else record["ext"] = ext;
  return restore(record, fromPointers(deviations.was, deviations.absent));
}

/** Marks a synthesised field as real, so that it is written; `names` are its entries in `ext.synthesised` and `absent`. */
export function claim<T extends { ext?: Ext }>(value: T, names: readonly string[]): T {
  if (value.ext === undefined) return value;
  const claimed = new Set<unknown>(names);
  const rest = (list: readonly unknown[]) => list.filter((name) => !claimed.has(name));
  const ext: Ext = {};
  for (const [key, noted] of Object.entries(value.ext)) {
    if (key === "synthesised") continue;
    const hasList = isObject(noted) && Array.isArray(noted["absent"]);
    setOwn(ext, key, hasList ? { ...noted, absent: rest([noted["absent"]].flat()) } : noted);
  }
  const synthesised = (value.ext.synthesised ?? []).filter((name) => !claimed.has(name));
  return { ...value, ext: synthesised.length > 0 ? { synthesised, ...ext } : ext };
}

function blocksIn(content: unknown): unknown[] {
  return Array.isArray(content) ? content : [];
}

function fill(target: JsonObject, neutral: JsonObject, base: string, deviations: Deviations): void {
  for (const [key, value] of Object.entries(neutral)) {
    const pointer = `${base}/${key}`;
    if (target[key] === undefined) {
      target[key] = value;
      deviations.absent = [...(deviations.absent ?? []), pointer];
    } else if (isObject(value) && isObject(target[key])) {
      const copy = { ...target[key] };
      fill(copy, value, pointer, deviations);
      target[key] = copy;
    }
  }
}

function replace(message: JsonObject, key: string, value: unknown, deviations: Deviations): void {
  deviations.was = { ...deviations.was, [`/${key}`]: message[key] };
  message[key] = value;
}

function note(message: JsonObject, dialect: string, deviations: Deviations): void {
  const { ext = {} } = message;
  const { absent = [], was } = deviations;
  // The validator refuses an invalid `ext`.
  if (!isExt(ext) || (absent.length === 0 && was === undefined && !hasNotes(ext, dialect))) return;
  const { [dialect]: own, ...others } = ext;
  const synthesised = [...(ext.synthesised ?? []), ...absent];
  const isApart = message["ext"] === undefined || isDistinguishable(ext, dialect, absent);
  message["ext"] = {
    ...others,
    ...(synthesised.length > 0 ? { synthesised } : {}),
    [dialect]: isApart
      ? { ...(isObject(own) ? own : {}), ...deviations }
      : { ...deviations, was: { ...was, "/ext": ext } },
  };
}

function isExt(value: unknown): value is Ext {
  if (!isObject(value)) return false;
  const { synthesised = [] } = value;
  return Array.isArray(synthesised) && synthesised.every((pointer) => typeof pointer === "string");
}

/** Whether the record already has something that `release` would read as our notes. */
function hasNotes(ext: unknown, dialect: string): boolean {
  if (!isObject(ext) || !Object.hasOwn(ext, dialect)) return false;
  const own = ext[dialect];
  return !isObject(own) || Object.keys(own).length === 0 || "absent" in own || "was" in own;
}

/** Whether the record's own `ext` can be distinguished from our notes. */
function isDistinguishable(ext: Ext, dialect: string, absent: readonly string[]): boolean {
  const { synthesised } = ext;
  if (hasNotes(ext, dialect) || Object.keys(ext).length === 0 || synthesised?.length === 0) return false;
  return synthesised === undefined || !synthesised.some((pointer) => absent.includes(pointer));
}

/** Separates our notes from the record's own `ext`. */
function splitNotes(ext: Ext, dialect: string): { deviations: Deviations; ext: Ext | undefined } {
  const { absent, was, ...own }: JsonObject = isObject(ext[dialect]) ? ext[dialect] : {};
  const missing = Array.isArray(absent) ? absent.filter((pointer) => typeof pointer === "string") : [];
  const { synthesised, [dialect]: _, ...others } = ext;
  const stillSynthesised = (synthesised ?? []).filter((pointer) => !missing.includes(pointer));
  const rest: Ext = {
    ...others,
    ...(stillSynthesised.length > 0 ? { synthesised: stillSynthesised } : {}),
    ...(Object.keys(own).length > 0 ? { [dialect]: own } : {}),
  };
  return {
    deviations: { absent: missing, ...(isObject(was) ? { was } : {}) },
    ext: Object.keys(rest).length > 0 ? rest : undefined,
  };
}

function hasPlainContent({ content }: JsonObject, dialect: string): boolean {
  return !Array.isArray(content) || content.every((block) => isPlain(block, dialect));
}

function isPlain(block: unknown, dialect: string): boolean {
  if (!isObject(block) || typeof block["type"] !== "string" || !blockTypes.has(block["type"])) return false;
  return !(block["type"] === "opaque" && block["dialect"] === dialect);
}

function unwrapKnown(content: (UserContent | AssistantContent)[], dialect: string): unknown[] {
  if (!content.some((block) => block.type === "opaque")) return content;
  return content.map((block) => {
    if (block.type !== "opaque" || block.dialect !== dialect) return block;
    // Another program may have wrapped a block that we would not wrap again.
    return isPlain(block.value, dialect) ? block : block.value;
  });
}
