import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import { neutralOrigin } from "../../core/message/neutral.js";
import { stableDeviations } from "../../core/records/deviation.js";
import { isLeaf, readLeaf } from "../../core/records/leaf-record.js";
import { instantOf } from "../../core/time.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  FileContent,
  SessionMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { readAttachment, readBlock, readFile, readPlain } from "./blocks.js";
import { ourConversation, ourMessage, ourResult } from "./encode.js";
import { extWith, notesOf } from "./notes.js";
import { type HeaderRecord, isBlock, isHeader, ROOT } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.flatMap((record, index): Decoded[] => {
    if (isHeader(record)) return [{ message: decodeHeader(record), record: index }];
    if (isLeaf(record)) return [{ message: readLeaf(record), record: index }];
    return decodeMessage(record, `/${index}`).map((message) => ({ message, record: index }));
  });
}

function decodeHeader({ conversation, ...record }: HeaderRecord): SessionMessage {
  const { uuid: id, name: title, created_at: time } = conversation;
  const timestamp = timeOf(time);
  const session: SessionMessage = {
    role: "session",
    ...(isString(id) ? { id } : {}),
    ...(isString(title) ? { title } : {}),
    timestamp: timestamp ?? 0,
  };
  const deviation = stableDeviations(conversation, ourConversation(session));
  const beside = Object.keys(record).length > 0 ? record : undefined;
  const synthesised = timestamp === undefined ? ["/timestamp"] : [];
  return { ...session, ...extWith({ ...deviation, record: beside }, synthesised) };
}

function timeOf(value: unknown): number | undefined {
  const time = isString(value) ? instantOf(value) : undefined;
  return time === undefined || Number.isNaN(time) ? undefined : time;
}

/** The messages of one record: an answer contains the results of its own calls. The first one carries the notes. */
function decodeMessage(record: JsonRecord, at: string): AgentMessage[] {
  const { sender, created_at: time } = record;
  if (sender !== "human" && sender !== "assistant") {
    throw new DragomanError("model/invalid", 'expected "human" or "assistant" in "sender"', {
      at: sender === undefined ? at : `${at}/sender`,
    });
  }
  const timestamp = timeOf(time);
  const synthesised = timestamp === undefined ? ["/timestamp"] : [];
  const read =
    sender === "human"
      ? [question(record, timestamp ?? 0, synthesised)]
      : answers(record, timestamp ?? 0, synthesised);
  const messages = linked(read, record);
  const [first, ...rest] = messages;
  if (first === undefined) return [];
  const { fields, absent } = stableDeviations(record, ourMessage(messages) ?? {}) ?? {};
  const others = first.ext?.synthesised;
  const noted = { ...first, ...extWith({ ...notesOf(first), fields, absent }, others) };
  return [noted, ...rest];
}

/** The last message has the id of the record, to which other records refer. Each is the parent of the next. */
function linked(
  messages: readonly AgentMessage[],
  { uuid, parent_message_uuid: above }: JsonRecord,
): AgentMessage[] {
  if (!isString(uuid)) return [...messages];
  let parentId = isString(above) ? (above === ROOT ? null : above) : undefined;
  return messages.map((message, index) => {
    const id = index === messages.length - 1 ? uuid : `${uuid}/${index}`;
    const own = { id, ...(parentId === undefined ? {} : { parentId }) };
    if (parentId !== undefined) parentId = id;
    return { ...message, ...own };
  });
}

function question(record: JsonObject, timestamp: number, synthesised: string[]): UserMessage {
  const { content, text, attachments, files } = record;
  const blocks: UserContent[] = Array.isArray(content) ? content.map(readPlain) : [];
  // Older exports have only the text.
  if (blocks.length === 0 && isString(text) && text !== "") blocks.push({ type: "text", text });
  const attached = [...readAll(attachments, readAttachment), ...readAll(files, readFile)];
  const [only] = blocks;
  const isPlain =
    blocks.length === 1 && attached.length === 0 && only?.type === "text" && only.ext === undefined;
  return {
    role: "user",
    content: isPlain ? only.text : [...blocks, ...attached],
    timestamp,
    ...extWith({}, synthesised),
  };
}

/** All of a list, if each member is readable; otherwise none. */
function readAll(list: unknown, read: (value: unknown) => FileContent | undefined): FileContent[] {
  const all = Array.isArray(list) ? list.map(read) : [];
  return all.every((one) => one !== undefined) ? all : [];
}

function answers(record: JsonObject, timestamp: number, synthesised: string[]): AgentMessage[] {
  const { content, text } = record;
  const blocks: unknown[] = Array.isArray(content) && content.length > 0 ? content : [];
  if (blocks.length === 0 && isString(text) && text !== "") blocks.push({ type: "text", text });
  const messages: AgentMessage[] = [];
  let open: AssistantContent[] | undefined;
  const close = () => {
    if (open !== undefined) messages.push(answer(open, timestamp, synthesised, messages.length > 0));
    open = undefined;
  };
  for (const block of blocks) {
    const result = readResult(block, timestamp, synthesised, messages.length > 0 || open !== undefined);
    if (result === undefined) open = [...(open ?? []), readBlock(block)];
    else {
      close();
      messages.push(result);
    }
  }
  close();
  return messages.length > 0 ? messages : [answer([], timestamp, synthesised, false)];
}

const ORIGIN = ["/api", "/provider", "/model", "/usage", "/stopReason"];

function answer(
  content: AssistantContent[],
  timestamp: number,
  synthesised: string[],
  isPart: boolean,
): AssistantMessage {
  return {
    role: "assistant",
    content,
    ...neutralOrigin(content),
    timestamp,
    ...extWith(isPart ? { part: true } : {}, [...ORIGIN, ...synthesised]),
  };
}

function readResult(
  block: unknown,
  timestamp: number,
  synthesised: string[],
  isPart: boolean,
): ToolResultMessage | undefined {
  if (!isBlock(block, "tool_result") || !isString(block["tool_use_id"])) return undefined;
  const { tool_use_id: toolCallId, name, content, is_error: isError } = block;
  const result: ToolResultMessage = {
    role: "toolResult",
    toolCallId,
    toolName: isString(name) ? name : "",
    content: Array.isArray(content)
      ? content.map(readPlain)
      : isString(content)
        ? [{ type: "text", text: content }]
        : [],
    isError: isError === true,
    timestamp,
  };
  const missing = [
    ...(isString(name) ? [] : ["/toolName"]),
    ...(typeof isError === "boolean" ? [] : ["/isError"]),
  ];
  const deviation = stableDeviations(block, ourResult(result), { guarded: true });
  const noted = { result: deviation, ...(isPart ? { part: true } : {}) };
  return { ...result, ...extWith(noted, [...missing, ...synthesised]) };
}
