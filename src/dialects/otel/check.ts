import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { attributesOf, type INPUT, isBare, LISTS, NAME, OUTPUT, SYSTEM } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** The required fields of each part besides its type. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ["content"],
  reasoning: ["content"],
  tool_call: ["name"],
  tool_call_response: ["response"],
  server_tool_call: ["name", "server_tool_call"],
  server_tool_call_response: ["server_tool_call_response"],
  blob: ["modality", "content"],
  uri: ["modality", "uri"],
  file: ["modality", "file_id"],
};

const ROLES = ["system", "user", "assistant", "tool"];

/** Readable documents that the schemas of the conventions refuse, or that other readers may not understand. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkDocument(record, `/${index}`)]);
}

function* checkDocument(record: JsonRecord, at: string): Generator<Drift> {
  const attributes = attributesOf(record);
  const above = attributes === record ? at : `${at}/attributes`;
  for (const key of LISTS) {
    const list = attributes[key];
    // A text is located as a whole; its members have no place of their own.
    if (!Array.isArray(list)) continue;
    const place = isBare(record) ? at : `${above}/${key}`;
    for (const [index, member] of list.entries()) {
      if (key === SYSTEM) yield* checkPart(member, `${place}/${index}`);
      else if (isObject(member)) yield* checkMessage(member, `${place}/${index}`, key);
    }
  }
}

function* checkMessage(message: JsonObject, at: string, key: typeof INPUT | typeof OUTPUT): Generator<Drift> {
  const { role, parts } = message;
  if (isString(role) && !ROLES.includes(role)) {
    const hint = `use one of ${ROLES.join(", ")}`;
    yield warning(`${at}/role`, "unknown-role", `unknown role ${JSON.stringify(role)}`, hint);
  }
  if (key === OUTPUT && role !== "assistant") {
    yield warning(`${at}/role`, "not-an-answer", "a message in the output is not the assistant's");
  }
  for (const [index, part] of Array.isArray(parts) ? parts.entries() : []) {
    yield* checkPart(part, `${at}/parts/${index}`);
  }
}

function* checkPart(part: unknown, at: string): Generator<Drift> {
  if (!isObject(part) || !isString(part["type"])) {
    yield error(at, "no-type", "the part has no type", "write an object with a type");
    return;
  }
  const { type } = part;
  for (const field of Object.hasOwn(REQUIRED, type) ? (REQUIRED[type] ?? []) : []) {
    if (Object.hasOwn(part, field)) continue;
    yield error(at, "missing-field", `the ${type} part has no ${field}`, `write ${field}`);
  }
}
