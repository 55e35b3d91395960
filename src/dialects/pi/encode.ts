import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { release } from "../../core/records/admit.js";
import type { AgentMessage } from "../../core/types.js";
import { typeFor } from "./entry-type.js";
import { type Notes, readNotes } from "./notes.js";
import { spellTime } from "./time.js";
import { NAME, shapeOf, TREE_VERSION } from "./wire.js";

/**
 * A header that pi did not write gets version 3 if the message after it, `next`, has a parent, and otherwise no version:
 * below a header without a version pi assigns ids in sequence, and below any other header it ignores entries without ids.
 */
export function encode(unit: readonly AgentMessage[], next?: AgentMessage): JsonRecord[] {
  if (unit.length === 0) return [encodeEntry({ role: "session", timestamp: 0 }, next)];
  return unit.map((message, index) => encodeEntry(message, unit[index + 1] ?? next));
}

function encodeEntry(message: AgentMessage, next: AgentMessage | undefined): JsonRecord {
  const notes = readNotes(message);
  const type = writableAs(message, notes.type) ?? typeFor(message);
  if (type === "message") return encodeMessage(message, notes);
  if (message.role !== "session" || type !== "session" || message.ext?.[NAME] !== undefined)
    return encodeShaped(message, type, notes);
  const version = next?.parentId === undefined ? {} : { version: TREE_VERSION };
  const folder = folderOf(message);
  return encodeShaped(message, type, {
    ...notes,
    entry: { ...version, ...(folder === undefined ? {} : { cwd: folder }) },
  });
}

/** The noted type, if entries of that type can represent messages of this role. */
function writableAs({ role }: AgentMessage, type: string | undefined): string | undefined {
  if (type === "message") return type;
  return role === "custom" && (type === "custom" || type === "custom_message") ? type : undefined;
}

function encodeMessage(message: AgentMessage, { lacks, message: detached, entry }: Notes): JsonRecord {
  const { id, parentId, ...inner } = withoutNotes(message);
  for (const key of Object.keys(detached)) setOwn(inner, key, detached[key]);
  const record: JsonRecord = { type: "message" };
  if (id !== undefined) record["id"] = id;
  if (parentId !== undefined) record["parentId"] = parentId;
  const time: unknown = message.timestamp;
  if (typeof time === "number" && !lacks.includes("timestamp")) record["timestamp"] = spellTime(time);
  record["message"] = inner;
  for (const key of Object.keys(entry)) setOwn(record, key, entry[key]);
  return record;
}

function encodeShaped(message: AgentMessage, type: string, { lacks, entry }: Notes): JsonRecord {
  const isMove = message.parentId !== undefined && !lacks.includes("targetId") && !hasTarget(message);
  const shape = shapeOf(type, type === "leaf" && isMove);
  const source = withoutNotes(message);
  const record: JsonRecord = { type };
  for (const { wire, model, write, preset } of shape.fields) {
    const value = model === undefined ? undefined : source[model];
    if (Object.hasOwn(entry, wire)) record[wire] = entry[wire];
    else if (value !== undefined) record[wire] = write === undefined ? value : write(value);
    else if (preset !== undefined && !lacks.includes(wire)) record[wire] = preset;
  }
  const rest = shape.rest === "data" && isObject(source["data"]) ? source["data"] : {};
  for (const fields of [rest, entry]) {
    for (const key of Object.keys(fields)) setOwn(record, key, fields[key]);
  }
  return record;
}

/** Whether `data` has its own target. The target of a leaf that moves is the message's parent. */
function hasTarget(message: AgentMessage): boolean {
  return message.role === "custom" && isObject(message.data) && Object.hasOwn(message.data, "targetId");
}

/** The message as `admit` received it, without the notes on its entry. */
function withoutNotes(message: AgentMessage): JsonObject {
  const record = release(message, NAME);
  if (!isObject(record["ext"]) || !Object.hasOwn(record["ext"], NAME)) return record;
  const { ext, ...rest } = record;
  const { [NAME]: _, ...others } = record["ext"];
  return isEmpty(others) ? rest : { ...rest, ext: others };
}
