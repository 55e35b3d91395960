import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { withFolder } from "../../core/message/folder.js";
import { noteMessage } from "../../core/message/notes.js";
import { responsesIn } from "../../core/records/content-parts.js";
import { differencesOf } from "../../core/records/differences.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  CustomMessage,
  ErrorMessage,
  SessionMessage,
  ToolResultMessage,
} from "../../core/types.js";
import { is } from "../../core/validate.js";
import { type Answer, readAnswer, type UnitLine } from "./decode-answer.js";
import { readUser } from "./decode-user.js";
import { isCarriedByDefault, ownRecord, resultRecord, userRecord } from "./encode.js";
import { echoRecord } from "./encode-answer.js";
import { frameOf, headerOf, timeIn } from "./frame.js";
import { groupLines } from "./group.js";
import { addNotes, extWith, type OtherLine, writeResponse } from "./notes.js";
import { isDocument, isLink, isPlainSet, kindOf, NAME } from "./wire.js";

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  const lines = unit.map((record, index) => ({ record, at: `/${index}`, index }));
  return readLines(lines, last);
}

function readLines(lines: readonly UnitLine[], last: JsonRecord | undefined): Decoded[] {
  const decoded: Decoded[] = [];
  let before = last;
  let answer: Answer | undefined;
  for (const { lines: group } of groupLines(lines)) {
    const read = readGroup(group, before);
    markLine(read.messages[0], answer);
    answer = read.answer;
    for (const message of read.messages) decoded.push({ message, record: group[0].index });
    before = group.findLast(({ record }) => isLink(record))?.record ?? before ?? group.at(-1)?.record;
  }
  return decoded;
}

interface ReadGroup {
  messages: AgentMessage[];
  /** If the group is an answer. */
  answer?: Answer;
}

type Lines = readonly [UnitLine, ...UnitLine[]];

function readGroup(group: Lines, before: JsonRecord | undefined): ReadGroup {
  const [first] = group;
  switch (kindOf(first.record)) {
    case "header":
      if (before !== undefined) return { messages: [readOwn("header", group)] };
      return { messages: isDocument(first.record) ? readDocument(first) : [readHeader(group)] };
    case "message":
      return readVersions(group, before);
    case "set":
      // At the start, a line of its own would be read as a part of the header that we add.
      return { messages: [readTitle(first.record) ?? readOwn(before === undefined ? "line" : "set", group)] };
    case "carried":
      return { messages: [readCarried(first.record) ?? readOwn("line", group)] };
    case "other":
      return { messages: [readOwn("line", group)] };
  }
}

/** A whole session in one record. */
function readDocument({ record, at, index }: UnitLine): AgentMessage[] {
  const { messages, ...header } = record;
  const lines = (Array.isArray(messages) ? messages : []).map((message: unknown, place): UnitLine => {
    if (isObject(message)) return { record: message, at: `${at}/messages/${place}`, index };
    throw unexpected(`${at}/messages/${place}`, "a message", message);
  });
  const session = readHeader([{ record: header, at, index }]);
  addNotes(session, { document: true });
  return [session, ...readLines(lines, header).map(({ message }) => message)];
}

function readHeader(group: Lines): SessionMessage {
  const { sessionId, startTime, summary, cwd } = group[0].record;
  const time = timeIn(startTime);
  const session: SessionMessage = {
    role: "session",
    ...(isString(sessionId) ? { id: sessionId } : {}),
    ...(isString(summary) ? { title: summary } : {}),
    timestamp: time ?? 0,
    ...extWith({}, time === undefined ? ["/timestamp"] : []),
  };
  // A folder in the header is noted, and the hash that we write is that of the folder.
  const ours = headerOf(isString(cwd) ? withFolder(session, cwd) : session);
  return withLines(session, group, 0, ours);
}

/** The message with notes on its line and on the other lines of its group. */
function withLines<M extends AgentMessage>(
  message: M,
  group: Lines,
  main: number,
  ours: JsonObject,
  stored: readonly ToolResultMessage[] = [],
): M {
  const record = group[main]?.record ?? {};
  const others = group.filter((_, index) => index !== main);
  const lines = others.map(({ record: other }): OtherLine => {
    if (isPlainSet(other)) return { set: other };
    if (other["id"] === record["id"]) return { version: differencesOf(other, record) };
    return readEcho(other, record, stored);
  });
  // Repairs add and remove results, which the notes on an answer must not undo.
  addNotes(message, {
    ...differencesOf(record, ours, message.role === "assistant"),
    ...(lines.length === 0 ? {} : { lines }),
    ...(main === 0 ? {} : { main }),
  });
  return message;
}

/** The copy of results: which ones it has, unless all, and how it differs from the copy that we would write. */
function readEcho(echo: JsonRecord, main: JsonRecord, stored: readonly ToolResultMessage[]): OtherLine {
  const of = (responsesIn(echo["content"]) ?? []).map(({ response }) =>
    stored.findIndex((result) => sameJson(writeResponse(result)[0], response)),
  );
  const isAll =
    of.includes(-1) || (of.length === stored.length && of.every((place, index) => place === index));
  const results = isAll ? stored : of.flatMap((place) => stored[place] ?? []);
  return { echo: differencesOf(echo, echoRecord(main, results)), ...(isAll ? {} : { of }) };
}

/** A line that is not a message. */
function readOwn(type: string, group: Lines): AgentMessage {
  const { record: data } = group[0];
  const own: CustomMessage = {
    role: "custom",
    customType: `${NAME}/${type}`,
    data,
    timestamp: 0,
    ...extWith({}, ["/timestamp"]),
  };
  return withLines(own, group, 0, data);
}

function readTitle(record: JsonRecord): AgentMessage | undefined {
  const { $set: set } = record;
  const summary = isObject(set) ? set["summary"] : undefined;
  if (!isString(summary)) return undefined;
  const title = noteMessage({ type: "dragoman/meta", data: { title: summary } }, 0);
  const notes = differencesOf(record, ownRecord(title, undefined) ?? {});
  return { ...title, ...extWith(notes, ["/timestamp"]) };
}

/** A message that we wrote and Gemini CLI has no line for. */
function readCarried({ dragoman }: JsonRecord): AgentMessage | undefined {
  if (!isObject(dragoman) || !is("AgentMessage", dragoman) || dragoman.ext?.[NAME] !== undefined)
    return undefined;
  if (dragoman.ext !== undefined && isEmpty(dragoman.ext)) return undefined;
  if (isCarriedByDefault(dragoman)) return dragoman;
  return { ...dragoman, ...extWith({ carried: true }, [], dragoman.ext) };
}

/** A message from its versions, of which the last one counts, and the results in it. */
function readVersions(group: Lines, before: JsonRecord | undefined): ReadGroup {
  const { id } = group[0].record;
  const main = group.findLastIndex(({ record }) => record["id"] === id);
  const line = group[main] ?? group[0];
  if (line.record["type"] !== "gemini") return { messages: readMessage(line, group, main, before) };
  const answer = readAnswer(line, before);
  const { message, stored, ours } = answer;
  withLines(message, group, main, ours, stored);
  return { messages: [message, ...stored], answer };
}

/** Marks a result that is on a line although the record of its call, in the answer before it, has a place for it. */
function markLine(result: AgentMessage | undefined, answer: Answer | undefined): void {
  if (answer === undefined || result?.role !== "toolResult") return;
  const { toolCallId } = result;
  const calls = answer.message.content.filter(
    (block) => block.type === "toolCall" && block.id === toolCallId,
  );
  const taken = answer.stored.filter((stored) => stored.toolCallId === toolCallId);
  if (calls.length > taken.length) addNotes(result, { line: true });
}

/** A line of any type but `gemini`. */
function readMessage(
  line: UnitLine,
  group: Lines,
  main: number,
  before: JsonRecord | undefined,
): AgentMessage[] {
  const { record, at } = line;
  const { id, timestamp, type, content, ...others } = record;
  if (!isString(type) || type === "") throw unexpected(`${at}/type`, "the type of a message", type);
  const time = timeIn(timestamp);
  const base = {
    ...(isString(id) ? { id } : {}),
    timestamp: time ?? 0,
    ...extWith({}, time === undefined ? ["/timestamp"] : []),
  };
  if (type === "user") {
    const messages = readUser(line, base);
    const [first] = messages;
    const ours =
      first.role === "user" ? userRecord(first, before) : resultRecord(messages.filter(isResult), before);
    withLines(first, group, main, ours ?? {});
    return messages;
  }
  if (type === "error" && isString(content)) {
    const error: ErrorMessage = { role: "error", content, ...base };
    return [withLines(error, group, main, { ...frameOf(error, before), type, content })];
  }
  const data = { ...(content === undefined ? {} : { content }), ...others };
  const own: CustomMessage = { role: "custom", customType: `${NAME}/${type}`, data, ...base };
  return [withLines(own, group, main, ownRecord(own, before) ?? {})];
}

function isResult(message: AgentMessage): message is ToolResultMessage {
  return message.role === "toolResult";
}
