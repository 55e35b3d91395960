import type { JsonRecord } from "../../core/dialect.js";
import { copyOf, isEmpty, isObject, isString, type JsonObject, setOwn } from "../../core/json/value.js";
import { noteMessage } from "../../core/message/notes.js";
import { differencesOf } from "../../core/records/differences.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  CustomMessage,
  ErrorMessage,
  SystemMessage,
  UserMessage,
} from "../../core/types.js";
import { is } from "../../core/validate.js";
import type { UnitLine } from "./decode-answer.js";
import {
  attachmentLine,
  carriedLine,
  customTypeOf,
  errorLine,
  isCarried,
  ownLine,
  titleLine,
} from "./encode-note.js";
import { timeOf } from "./frame.js";
import { extWith, lineNotes } from "./notes.js";
import { FRAME, NAME, TITLES } from "./wire.js";

/**
 * A line of the tree that is neither a prompt, an answer, a result nor a boundary. Without `last`, the line before, it is not
 * noted how the line was written.
 */
export function readNote(
  { record, index }: UnitLine,
  parentId: string | null | undefined,
  last: JsonRecord | undefined,
): AgentMessage {
  const type = typeOf(record, index);
  const time = timeOf(record);
  const base: Base = { timestamp: time ?? 0 };
  if (isString(record["uuid"])) base.id = record["uuid"];
  if (parentId !== undefined) base.parentId = parentId;
  const synthesised = time === undefined ? ["/timestamp"] : [];
  const marked = { ...base, ...extWith({}, synthesised) };
  const error = readError(record, marked);
  if (error !== undefined)
    return last === undefined ? error : noted(error, record, errorLine(error, last), synthesised);
  const text = readAttachment(record, marked);
  if (text !== undefined) {
    if (last === undefined) return text;
    const notes = text.role === "user" ? { type: "attachment" } : {};
    return noted(text, record, attachmentLine(text, last), synthesised, notes);
  }
  const carried = readCarried(record, base, synthesised);
  if (carried !== undefined) {
    if (last === undefined) return carried;
    const ours = carriedLine(carried, last);
    const notes = lineNotes(record, ours, carried);
    // With other notes, an answer would be written as a line of its own.
    const marked = isEmpty(notes) ? notes : { ...notes, carried: true };
    return { ...carried, ...extWith(marked, [], carried.ext) };
  }
  const own: CustomMessage = {
    role: "custom",
    customType: customTypeOf(type),
    ...dataOf(record, FRAME),
    ...marked,
  };
  if (last === undefined) return own;
  // Its place in the tree shows in the note on a missing parent, which is made here.
  const inTree = parentId === undefined ? { ...own, parentId: null } : own;
  return noted(own, record, ownLine(inTree, last) ?? {}, synthesised);
}

/** Requires the type of a line. Prompts and answers must have a message. */
function typeOf({ type, message, isApiErrorMessage }: JsonRecord, index: number): string {
  if (!isString(type) || type === "") throw unexpected(`/${index}/type`, "the type of a line", type);
  const isMessage = type === "user" || (type === "assistant" && isApiErrorMessage !== true);
  if (isMessage) throw unexpected(`/${index}/message`, "a message", message);
  return type;
}

interface Base {
  timestamp: number;
  id?: string;
  parentId?: string | null;
}

function noted(
  message: AgentMessage,
  record: JsonRecord,
  ours: JsonRecord,
  synthesised: readonly string[],
  more: object = {},
): AgentMessage {
  return { ...message, ...extWith({ ...lineNotes(record, ours, message), ...more }, synthesised) };
}

function readError(record: JsonRecord, base: Base): ErrorMessage | undefined {
  const { message, isApiErrorMessage, error } = record;
  if (isApiErrorMessage !== true || !isObject(message) || !Array.isArray(message["content"]))
    return undefined;
  const [block, ...others]: unknown[] = message["content"];
  if (others.length > 0 || !isObject(block) || block["type"] !== "text" || !isString(block["text"]))
    return undefined;
  return { role: "error", content: block["text"], ...(isString(error) ? { code: error } : {}), ...base };
}

/** The text of an attachment is sent to the model as it is. */
function readAttachment(record: JsonRecord, base: Base): SystemMessage | UserMessage | undefined {
  const { type, rendered, renderedRole, attachment } = record;
  if (type !== "attachment" || !Array.isArray(rendered) || !isObject(attachment)) return undefined;
  const texts = rendered.map((one: unknown) => (isObject(one) ? one["content"] : undefined));
  const [first, ...others] = texts;
  if (!isString(first) || !others.every(isString)) return undefined;
  const content =
    others.length === 0 ? first : [first, ...others].map((text) => ({ type: "text" as const, text }));
  return { role: renderedRole === "system" ? "system" : "user", content, ...base };
}

/** A message that we wrote and Claude Code has no line for. */
function readCarried(
  record: JsonRecord,
  base: Base,
  synthesised: readonly string[],
): AgentMessage | undefined {
  const { dragoman } = record;
  if (!isCarried(record) || !isObject(dragoman)) return undefined;
  for (const key of APART) if (Object.hasOwn(dragoman, key)) return undefined;
  const message = copyOf(dragoman);
  for (const key of APART) if (base[key] !== undefined) message[key] = base[key];
  if (!is("AgentMessage", message) || message.ext?.[NAME] !== undefined) return undefined;
  return synthesised.length === 0 ? message : { ...message, ...extWith({}, synthesised, message.ext) };
}

/** The fields of a message that the line has itself. */
const APART = ["timestamp", "id", "parentId"] as const;

/**
 * A line outside the tree. Its time, if it has one, is the message's. Without `last`, the line before, it is not noted how the
 * line was written.
 */
export function readLoose({ record, index }: UnitLine, last: JsonRecord | undefined): AgentMessage {
  const type = typeOf(record, index);
  const title = readTitle(record, type);
  if (title !== undefined) {
    const message = { ...title, ...extWith({ type }, ["/timestamp"]) };
    const notes = last === undefined ? {} : differencesOf(record, titleLine(message, last) ?? {});
    return {
      ...title,
      ...extWith({ ...(type === "custom-title" ? {} : { type }), ...notes }, ["/timestamp"]),
    };
  }
  const time = timeOf(record);
  const synthesised = time === undefined ? ["/timestamp"] : [];
  const own: CustomMessage = {
    role: "custom",
    customType: customTypeOf(type),
    ...dataOf(record, time === undefined ? TYPE : TYPE_AND_TIME),
    timestamp: time ?? 0,
    ...extWith({}, synthesised),
  };
  if (last === undefined) return own;
  const notes = differencesOf(record, ownLine(own, last) ?? {});
  return { ...own, ...extWith(notes, synthesised) };
}

const TYPE: ReadonlySet<string> = new Set(["type"]);
const TYPE_AND_TIME: ReadonlySet<string> = new Set(["type", "timestamp"]);

/** The summaries of a file are often of other sessions, so they are not read as its title. */
function readTitle(record: JsonRecord, type: string): CustomMessage | undefined {
  const field = type === "summary" ? undefined : TITLES.get(type);
  const title = field === undefined ? undefined : record[field];
  return isString(title) ? noteMessage({ type: "dragoman/meta", data: { title } }, 0) : undefined;
}

function dataOf(record: JsonRecord, except: ReadonlySet<string>): { data?: JsonObject } {
  const data: JsonObject = {};
  let isEmpty = true;
  for (const key of Object.keys(record)) {
    if (except.has(key)) continue;
    setOwn(data, key, record[key]);
    isEmpty = false;
  }
  return isEmpty ? {} : { data };
}
