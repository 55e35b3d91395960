import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isEmpty, isNumber, isObject, isString, type JsonObject, setOwn } from "../../core/json/value.js";
import { noteMessage } from "../../core/message/notes.js";
import { responsesIn } from "../../core/records/content-parts.js";
import { differencesOf } from "../../core/records/differences.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AgentMessage, CompactionMessage, CustomMessage, ToolResultMessage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { answerOf, type Base, readHistory, readUserContent, resultOf } from "./blocks.js";
import { answerLine, carriedLine, customTypeOf, lineOf, nextLine, resultLine } from "./encode.js";
import { firstFields, readSession, timeIn } from "./frame.js";
import { addNotes, extWith, noteLine, readAnswerPart, readResponse } from "./notes.js";
import { CARRIED, FRAME, isLink, joins, kindOf, NAME, REALTIME } from "./wire.js";

interface UnitLine {
  record: JsonRecord;
  at: string;
  index: number;
}

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  const decoded: Decoded[] = [];
  let before = last;
  for (const group of groupsOf(unit)) {
    const [first] = group;
    if (first === undefined) continue;
    if (before === undefined) {
      const session = readSession(first.record);
      decoded.push({ message: session, record: first.index });
      before = firstFields(session);
    }
    for (const message of readGroup(first, group, before)) decoded.push({ message, record: first.index });
    before = isLink(first.record) || !isLink(before) ? (group.at(-1)?.record ?? before) : before;
  }
  return decoded;
}

/** The lines of an answer together, any other line alone. */
function groupsOf(unit: readonly JsonRecord[]): UnitLine[][] {
  const groups: UnitLine[][] = [];
  for (const [index, record] of unit.entries()) {
    const line = { record, at: `/${index}`, index };
    const open = groups.at(-1);
    const [first] = open ?? [];
    if (first !== undefined && joins(first.record, record, first.record)) open?.push(line);
    else groups.push([line]);
  }
  return groups;
}

function readGroup(line: UnitLine, group: readonly UnitLine[], last: JsonRecord): AgentMessage[] {
  const { record, at } = line;
  const { uuid, parentUuid } = record;
  if (!isString(uuid) || uuid === "") throw unexpected(`${at}/uuid`, "the id of the line", uuid);
  const time = timeIn(record);
  const base: Base = {
    timestamp: time ?? 0,
    id: uuid,
    ...(isString(parentUuid) || parentUuid === null ? { parentId: parentUuid } : {}),
  };
  const untimed = time === undefined ? ["/timestamp"] : [];
  switch (kindOf(record)) {
    case "answer":
      return [readAnswer(group, base, untimed, last)];
    case "result":
      return readResults(line, base, untimed, last);
    case "user":
      return [readUser(line, base, untimed, last)];
    case "compression":
      return [readCompression(record, base, untimed, last)];
    case "title":
      return [noted(readTitle(record, base, untimed), record, last)];
    case "note":
      return [readNote(line, base, untimed, last)];
  }
}

function partsOf({ record, at }: UnitLine): unknown[] {
  const { message } = record;
  const parts = isObject(message) ? message["parts"] : undefined;
  if (Array.isArray(parts)) return parts;
  throw unexpected(`${at}/message/parts`, "a list of parts", parts);
}

function readAnswer(
  group: readonly UnitLine[],
  base: Base,
  untimed: readonly string[],
  last: JsonRecord,
): AgentMessage {
  const lists = group.map(partsOf);
  const records = group.map(({ record }) => record);
  const [first = {}, ...others] = records;
  const model = records.findLast((record) => isString(record["model"]))?.["model"];
  const usage = records.findLast((record) => isObject(record["usageMetadata"]))?.["usageMetadata"];
  const message = answerOf(lists.flat().map(readAnswerPart), { model, usage }, base, untimed);
  noteLine(message, first, answerLine(message, lists[0] ?? [], last));
  const later = others.map((record, index) => differencesOf(record, nextLine(first, lists[index + 1] ?? [])));
  if (others.length > 0) {
    addNotes(message, {
      counts: lists.map(({ length }) => length),
      ...(later.every(isEmpty) ? {} : { lines: later }),
    });
  }
  return message;
}

function readUser(line: UnitLine, base: Base, untimed: readonly string[], last: JsonRecord): AgentMessage {
  const content = readUserContent(partsOf(line));
  return noted({ role: "user", content, ...base, ...extWith({}, untimed) }, line.record, last);
}

/** The results on a line; the last one has the line's id, because what follows names it. */
function readResults(
  line: UnitLine,
  base: Base,
  untimed: readonly string[],
  last: JsonRecord,
): AgentMessage[] {
  const { record } = line;
  const groups = responsesIn(partsOf(line));
  if (groups === undefined) return [readUser(line, base, untimed, last)];
  const { toolCallResult } = record;
  const status = isObject(toolCallResult) && groups.length === 1 ? toolCallResult["status"] : undefined;
  const isFailed = status === "error" || status === "cancelled";
  const { id, parentId, timestamp } = base;
  let before = parentId;
  const results = groups.map((group, index): ToolResultMessage => {
    const isLast = index === groups.length - 1;
    const own = id === undefined || isLast ? id : `${id}#${index}`;
    const link: Base = {
      timestamp,
      ...(own === undefined ? {} : { id: own }),
      ...(before === undefined ? {} : { parentId: before }),
    };
    before = own ?? before;
    const result = resultOf(readResponse(group, isFailed), link, untimed);
    if (index > 0) addNotes(result, { merged: true });
    return result;
  });
  const [first] = results;
  if (first !== undefined) noteLine(first, record, resultLine(results, last) ?? {});
  return results;
}

function noted(message: AgentMessage, record: JsonRecord, last: JsonRecord): AgentMessage {
  noteLine(message, record, lineOf(message, [], last) ?? {});
  return message;
}

function readCompression(
  record: JsonRecord,
  base: Base,
  untimed: readonly string[],
  last: JsonRecord,
): AgentMessage {
  const { systemPayload } = record;
  const { info, compressedHistory, dragoman } = isObject(systemPayload) ? systemPayload : {};
  const history: unknown[] = Array.isArray(compressedHistory) ? compressedHistory : [];
  const replacement = readHistory(history, base.timestamp);
  const tokens = isObject(info) ? info["originalTokenCount"] : undefined;
  if (replacement === undefined) return readOwn(record, base, untimed, last);
  const own = readOwnCompaction(dragoman);
  const message: CompactionMessage = {
    role: "compaction",
    summary: "",
    ...own,
    ...(own === undefined || (isObject(dragoman) && dragoman["replaced"] === true) ? { replacement } : {}),
    ...(isNumber(tokens) && tokens !== 0 ? { tokensBefore: tokens } : {}),
    ...base,
    ...extWith({}, untimed),
  };
  return noted(message, record, last);
}

/** The fields of a compaction that we wrote. */
function readOwnCompaction(dragoman: unknown): Partial<CompactionMessage> | undefined {
  if (!isObject(dragoman) || !isString(dragoman["summary"])) return undefined;
  const { summary, verbatim, details } = dragoman;
  return {
    summary,
    ...(typeof verbatim === "boolean" ? { verbatim } : {}),
    ...(details === undefined ? {} : { details }),
  };
}

function readTitle({ systemPayload }: JsonRecord, base: Base, untimed: readonly string[]): AgentMessage {
  const title = isObject(systemPayload) ? String(systemPayload["customTitle"]) : "";
  const note = noteMessage({ type: "dragoman/meta", data: { title } }, base.timestamp);
  return { ...note, ...base, ...extWith({}, untimed) };
}

/** A line that is not sent to the model. */
function readNote(line: UnitLine, base: Base, untimed: readonly string[], last: JsonRecord): AgentMessage {
  const { record, at } = line;
  const { type, message, subtype } = record;
  if (!isString(type) || type === "") throw unexpected(`${at}/type`, "the type of a line", type);
  const isMessage = type === "user" || type === "assistant" || type === "tool_result";
  if (isMessage && subtype !== REALTIME) throw unexpected(`${at}/message`, "a message", message);
  const carried = readCarried(record, base, untimed);
  if (carried === undefined) return readOwn(record, base, untimed, last);
  // A compaction has a line if it gets a history.
  const hasLine = carried.role === "assistant" || carried.role === "compaction";
  const isForced = hasLine || lineOf(carried, [], last) !== undefined;
  if (isForced) addNotes(carried, { carried: true });
  noteLine(carried, record, carriedLine(carried, last));
  return carried;
}

function readOwn(record: JsonRecord, base: Base, untimed: readonly string[], last: JsonRecord): AgentMessage {
  const { type, subtype } = record;
  const data: JsonObject = {};
  for (const key of Object.keys(record)) if (!FRAME.has(key)) setOwn(data, key, record[key]);
  const message: CustomMessage = {
    role: "custom",
    customType: customTypeOf(isString(subtype) && subtype !== "" ? subtype : String(type)),
    ...(isEmpty(data) ? {} : { data }),
    ...base,
    ...extWith({}, untimed),
  };
  return noted(message, record, last);
}

/** A message that we wrote and Qwen Code has no line for. */
function readCarried(record: JsonRecord, base: Base, untimed: readonly string[]): AgentMessage | undefined {
  const { subtype, systemPayload } = record;
  const inner = subtype === CARRIED && isObject(systemPayload) ? systemPayload["message"] : undefined;
  if (!isObject(inner)) return undefined;
  const isWhole = ["id", "parentId", "timestamp"].every((key) => !Object.hasOwn(inner, key));
  const message = { ...inner, ...base };
  if (!isWhole || !is("AgentMessage", message) || message.ext?.[NAME] !== undefined) return undefined;
  if (message.ext !== undefined && isEmpty(message.ext)) return undefined;
  return { ...message, ...extWith({}, untimed, message.ext) };
}
