import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { joinPointer } from "../../core/json/pointer.js";
import { copyOf, isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import { admit } from "../../core/records/admit.js";
import { instantOf } from "../../core/time.js";
import type { AgentMessage } from "../../core/types.js";
import { customTypeOf, typeFor } from "./entry-type.js";
import { annotate, noteField } from "./notes.js";
import { isSpelling } from "./time.js";
import {
  isForeignExt,
  isMessageEntry,
  type MessageEntry,
  movesLeaf,
  NAME,
  type Shape,
  shapeOf,
} from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.map(decodeEntry);
}

function decodeEntry(record: JsonRecord, index: number): Decoded {
  const { type } = record;
  if (isMessageEntry(record)) {
    return { message: decodeMessage(record, `/${index}/message`), record: index, base: "/message" };
  }
  if (type === "message") throw refused(record, "message", "an object", index);
  if (typeof type !== "string" || type === "") throw refused(record, "type", "the type of an entry", index);
  return { message: decodeShaped(record, type, `/${index}`), record: index, base: "" };
}

function refused(record: JsonRecord, field: string, expected: string, index: number): DragomanError {
  const at = field in record ? joinPointer("", index, field) : `/${index}`;
  const found = JSON.stringify(record[field])?.slice(0, 40) ?? "nothing";
  return new DragomanError("model/invalid", `expected ${expected} in "${field}", found ${found}`, { at });
}

/** A `message` entry: the inner message has the model's own shape; id and parent are the entry's. */
function decodeMessage(record: MessageEntry, at: string): AgentMessage {
  const notes: JsonObject = {};
  const message = copyOf(record.message);
  detach(message, notes);
  modernise(message, record["timestamp"], notes);
  for (const key of Object.keys(record)) {
    const value = record[key];
    if (key === "id" && typeof value === "string") message["id"] = value;
    else if (key === "parentId" && (value === null || typeof value === "string")) message["parentId"] = value;
    else if (key !== "type" && key !== "message" && key !== "timestamp") noteField(notes, key, value);
  }
  const admitted = admit(message, NAME, at);
  noteTime(admitted.timestamp, record["timestamp"], notes);
  if (typeFor(admitted) !== "message") notes["type"] = "message";
  annotate(admitted, notes);
  return admitted;
}

/** Moves the inner message's own `id`, `parentId` and `ext` into the notes: in the model these names are the entry's. */
function detach(message: JsonObject, notes: JsonObject): void {
  const { id, parentId, ext } = message;
  const keepsExt = ext === undefined || isForeignExt(ext, message);
  if (id === undefined && parentId === undefined && keepsExt) return;
  const detached: JsonObject = {};
  for (const key of keepsExt ? ["id", "parentId"] : ["id", "parentId", "ext"]) {
    if (message[key] === undefined) continue;
    detached[key] = message[key];
    Reflect.deleteProperty(message, key);
  }
  notes["message"] = detached;
}

/** Updates older forms: the role `hookMessage`, a message without a time, a time as text. */
function modernise(message: JsonObject, entryTime: unknown, notes: JsonObject): void {
  const was: JsonObject = {};
  if (message["role"] === "hookMessage" && typeof message["customType"] === "string") {
    was["/role"] = "hookMessage";
    message["role"] = "custom";
  }
  if (typeof message["timestamp"] !== "number") {
    const time = instantOf(message["timestamp"] ?? entryTime);
    if (time !== undefined) {
      if (message["timestamp"] === undefined) notes["absent"] = ["/timestamp"];
      else was["/timestamp"] = message["timestamp"];
      message["timestamp"] = time;
    }
  }
  if (Object.keys(was).length > 0) notes["was"] = was;
}

/** `ms` is unknown because messages of an unknown role need not have a time. */
function noteTime(ms: unknown, entryTime: unknown, notes: JsonObject): void {
  const isTime = typeof ms === "number";
  if (entryTime === undefined) {
    if (isTime) notes["lacks"] = ["timestamp"];
  } else if (!isTime || !isSpelling(entryTime, ms)) notes["timestamp"] = entryTime;
}

/** Any other entry, field by field. */
function decodeShaped(record: JsonRecord, type: string, at: string): AgentMessage {
  const shape = shapeOf(type, movesLeaf(record));
  const { message, notes, absent, lacks } = readFields(record, shape);
  if (type === "leaf" && record["targetId"] === undefined) lacks.push("targetId");
  const rest = readRest(record, shape);
  if (shape.rest === "data") {
    message["customType"] = customTypeOf(type);
    if (Object.keys(rest).length > 0) message["data"] = rest;
  } else for (const key of Object.keys(rest)) noteField(notes, key, rest[key]);
  if (lacks.length > 0) notes["lacks"] = lacks;
  if (absent.length > 0) {
    notes["absent"] = absent;
    const ext = isObject(message["ext"]) ? message["ext"] : {};
    const before = Array.isArray(ext["synthesised"]) ? ext["synthesised"] : [];
    message["ext"] = { ...ext, synthesised: [...before, ...absent] };
  }
  const admitted = admit(message, NAME, at);
  if (typeFor(admitted) !== type) notes["type"] = type;
  annotate(admitted, notes);
  return admitted;
}

function readFields(record: JsonRecord, shape: Shape) {
  const message: JsonObject = { role: shape.role };
  const notes: JsonObject = {};
  const absent: string[] = [];
  const lacks: string[] = [];
  for (const { wire, model, fits, read, write, neutral, preset } of shape.fields) {
    const value = record[wire];
    if (value === undefined && preset !== undefined) lacks.push(wire);
    if (value !== undefined) {
      if (value === preset) continue;
      if (model !== undefined && fits(value, record)) {
        const meant = read === undefined ? value : read(value);
        message[model] = meant;
        if (write !== undefined && write(meant) !== value) notes[wire] = value;
        continue;
      }
      notes[wire] = value;
    }
    if (neutral !== undefined && model !== undefined) {
      message[model] = neutral;
      absent.push(`/${model}`);
    }
  }
  return { message, notes, absent, lacks };
}

function readRest(record: JsonRecord, shape: Shape): JsonObject {
  const rest: JsonObject = {};
  for (const key of Object.keys(record)) {
    if (key !== "type" && !shape.fields.some(({ wire }) => wire === key)) setOwn(rest, key, record[key]);
  }
  return rest;
}
