import { DragomanError } from "./error.js";
import { isObject, type JsonObject } from "./json/value.js";
import type { AgentMessage, AssistantContent, Ext, UserContent } from "./types.js";
import { emptyUsage } from "./usage.js";
import { is, mismatches } from "./validate.js";

/**
 * What a source left out, or said in a way the model has no word for, under its name in `ext`:
 * enough to write the record back as it was.
 */
interface Deviations {
  /** Pointers to fields that were not there. */
  absent?: string[];
  /** What stood where the model has something else, by pointer. */
  was?: Record<string, unknown>;
}

/** A field the model requires, and what it is when nobody says it. */
interface Requirement {
  key: string;
  neutral(): unknown;
  within?: readonly Requirement[];
}

function requirements(neutral: JsonObject): Requirement[] {
  return Object.entries(neutral).map(([key, value]) => ({
    key,
    neutral: () => structuredClone(value),
    ...(isObject(value) ? { within: requirements(value) } : {}),
  }));
}

const time = requirements({ timestamp: 0 });

/** By role. */
const required: ReadonlyMap<unknown, readonly Requirement[]> = new Map([
  ["user", requirements({ content: [], timestamp: 0 })],
  [
    "assistant",
    requirements({
      content: [],
      api: "",
      provider: "",
      model: "",
      usage: emptyUsage(),
      stopReason: "stop",
      timestamp: 0,
    }),
  ],
  ["toolResult", requirements({ toolCallId: "", toolName: "", content: [], isError: false, timestamp: 0 })],
]);

const stopReasons = new Set(["stop", "length", "toolUse", "error", "aborted"]);
const blockTypes = new Set(["text", "thinking", "image", "toolCall", "audio", "file", "opaque"]);

/**
 * Takes a record that is nearly a message of the model: fills in what is missing with neutral values (listed in
 * `ext.synthesised`), wraps blocks nobody knows as `opaque`, and remembers both so that `release` can undo it.
 * Throws `model/invalid` for what cannot be read as a message at all; `at` is where the record stands in its unit.
 */
export function admit(record: JsonObject, dialect: string, at = "/0"): AgentMessage {
  const message: JsonObject = { ...record };
  const deviations: Deviations = {};
  const needs = typeof message["role"] === "string" ? required.get(message["role"]) : time;
  if (needs !== undefined) fill(message, needs, "", deviations);
  if (typeof message["stopReason"] === "string" && !stopReasons.has(message["stopReason"])) {
    replace(message, "stopReason", "stop", deviations);
  }
  if (message["content"] === null) replace(message, "content", [], deviations);
  if (Array.isArray(message["content"])) message["content"] = wrapUnknown(message["content"], dialect);
  note(message, dialect, deviations);
  if (is("AgentMessage", message)) return message;
  const [first] = mismatches("AgentMessage", message);
  throw new DragomanError("model/invalid", `expected ${first?.expected}, found ${first?.found}`, {
    at: `${at}${first?.at ?? ""}`,
  });
}

/** The record that `admit` was given. */
export function release(message: AgentMessage, dialect: string): JsonObject {
  const record: JsonObject = { ...message };
  const { deviations, ext } = take(message.ext, dialect);
  for (const pointer of deviations.absent ?? []) remove(record, pointer);
  for (const [pointer, value] of Object.entries(deviations.was ?? {})) record[pointer.slice(1)] = value;
  if (ext === undefined) Reflect.deleteProperty(record, "ext");
  else record["ext"] = ext;
  if (Array.isArray(record["content"])) record["content"] = unwrapKnown(record["content"], dialect);
  return record;
}

function fill(target: JsonObject, needs: readonly Requirement[], base: string, deviations: Deviations): void {
  for (const { key, neutral, within } of needs) {
    const value = target[key];
    if (value === undefined) {
      target[key] = neutral();
      deviations.absent = [...(deviations.absent ?? []), `${base}/${key}`];
    } else if (within !== undefined && isObject(value) && !isWhole(value, within)) {
      const copy = { ...value };
      fill(copy, within, `${base}/${key}`, deviations);
      target[key] = copy;
    }
  }
}

/** Spares most values a copy. */
function isWhole(value: JsonObject, needs: readonly Requirement[]): boolean {
  return needs.every(({ key, within }) => {
    const inner = value[key];
    return inner !== undefined && (within === undefined || !isObject(inner) || isWhole(inner, within));
  });
}

function replace(message: JsonObject, key: string, value: unknown, deviations: Deviations): void {
  deviations.was = { ...deviations.was, [`/${key}`]: message[key] };
  message[key] = value;
}

function note(message: JsonObject, dialect: string, deviations: Deviations): void {
  const { absent, was } = deviations;
  if (absent === undefined && was === undefined) return;
  const ext: Ext = isObject(message["ext"]) ? { ...message["ext"] } : {};
  if (absent !== undefined) ext.synthesised = [...(ext.synthesised ?? []), ...absent];
  ext[dialect] = { ...(isObject(ext[dialect]) ? ext[dialect] : {}), ...deviations };
  message["ext"] = ext;
}

/** Splits what `note` noted off `ext`. */
function take(ext: Ext | undefined, dialect: string): { deviations: Deviations; ext: Ext | undefined } {
  const noted = ext?.[dialect];
  if (ext === undefined || !isObject(noted)) return { deviations: {}, ext };
  const { absent, was, ...own } = noted;
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

function remove(record: JsonObject, pointer: string): void {
  const [, key = "", inner] = pointer.split("/");
  const child = record[key];
  if (inner === undefined) Reflect.deleteProperty(record, key);
  else if (isObject(child)) {
    const copy = { ...child };
    remove(copy, pointer.slice(key.length + 1));
    record[key] = copy;
  }
}

/** A block that is `opaque` for this dialect already is wrapped once more, so that unwrapping gives it back. */
function wrapUnknown(content: unknown[], dialect: string): unknown[] {
  if (content.every((block) => isPlain(block, dialect))) return content;
  return content.map((block) =>
    isPlain(block, dialect) ? block : { type: "opaque", dialect, value: block },
  );
}

function isPlain(block: unknown, dialect: string): boolean {
  if (!isObject(block) || typeof block["type"] !== "string" || !blockTypes.has(block["type"])) return false;
  return !(block["type"] === "opaque" && block["dialect"] === dialect);
}

function unwrapKnown(content: readonly (UserContent | AssistantContent)[], dialect: string): unknown[] {
  return content.map((block) => (block.type === "opaque" && block.dialect === dialect ? block.value : block));
}
