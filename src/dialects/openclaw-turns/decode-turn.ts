import type { JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { resolvePointer } from "../../core/json/pointer.js";
import { isObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import { isUnseen } from "../../core/shown/system-prompt.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  ToolCall,
  ToolResultMessage,
} from "../../core/types.js";
import { is } from "../../core/validate.js";
import { type ContentBlock, isPlainText, readBlocks, textOf } from "./blocks.js";
import { uncarry } from "./carried-message.js";
import { looksLikeSeconds } from "./encode-metadata.js";
import { readInbound } from "./inbound.js";
import { mediaOf, withFiles } from "./media.js";
import { readExt } from "./metadata-ext.js";
import type { Notes } from "./notes.js";
import { readReasoning } from "./reasoning.js";
import { readUnknownRole } from "./unknown-role.js";
import { isTime } from "./wire.js";

/** A message, and notes on its turn's form. */
interface Reading {
  message: AgentMessage;
  notes: Notes;
}

/** A turn while it is read. */
interface Source {
  turn: JsonRecord;
  metadata: JsonRecord;
  marks: JsonRecord;
  /** The turn's pointer in its unit. */
  at: string;
  /** Pointers to required fields of the model that the turn lacks. */
  missing: string[];
  notes: Notes;
}

const NONE: JsonRecord = {};

/** Reads one turn. Invalid marks are ignored. */
export function readTurn(turn: JsonRecord, marks: JsonRecord = NONE, at: string): Reading {
  const source = sourceOf(turn, marks, at);
  return { message: addCommonFields(readMessage(source), source), notes: source.notes };
}

/** The blocks of a later turn of an answer. */
export function readPart(turn: JsonRecord, marks: JsonRecord = NONE, at: string): AssistantContent[] {
  return readAnswerBlocks(sourceOf(turn, marks, at));
}

function sourceOf(turn: JsonRecord, marks: JsonRecord, at: string): Source {
  const metadata = isObject(turn["metadata"]) ? turn["metadata"] : NONE;
  return { turn, metadata, marks, at, missing: [], notes: {} };
}

function readMessage(source: Source): AgentMessage {
  const { role } = source.turn;
  switch (role) {
    case "user":
      return readUserOrSystem(role, source, readContent(source));
    case "system": {
      const content = readContent(source);
      const carried = readCarried(source, content);
      if (carried === undefined) return readUserOrSystem(role, source, content);
      if (isUnseen(carried)) source.notes.carried = true;
      return carried;
    }
    case "assistant":
      return readAnswer(source);
    case "tool":
      return readResult(source);
    default:
      if (typeof role !== "string") throw invalid(source, "/role", "a string");
      return readUnknownRole(source.turn, readTimestamp(source), source.at);
  }
}

/** Adds the fields that every message may have. */
function addCommonFields(message: AgentMessage, { metadata, marks, missing }: Source): AgentMessage {
  const { id, parentId, sender } = metadata;
  if (typeof id === "string") message.id = id;
  if (typeof parentId === "string" || parentId === null) message.parentId = parentId;
  if (typeof sender === "string") message.sender = sender;
  const read = readExt(metadata["ext"], missing);
  const ext = message.role === "user" ? readInbound(read, metadata) : read;
  if (ext !== undefined) message.ext = ext;
  if (!isObject(marks["fields"])) return message;
  const complete = { ...message, ...marks["fields"] };
  return is("AgentMessage", complete) ? complete : message;
}

function readUserOrSystem(role: "user" | "system", source: Source, content: ContentBlock[]): AgentMessage {
  const [only] = content;
  const isString = source.marks["string"] === true && content.length === 1 && isPlainText(only);
  return { role, content: isString ? only.text : content, timestamp: readTimestamp(source) };
}

function readCarried(source: Source, content: ContentBlock[]): AgentMessage | undefined {
  const { message, text } = source.marks;
  if (!isObject(message)) return undefined;
  const [only] = content;
  const fields = { ...uncarry(message, text, isPlainText(only) ? only.text : undefined) };
  // A message of an unknown role need not have a timestamp.
  if (source.turn["timestamp"] === undefined && is("AgentMessage", fields)) return fields;
  const complete = { ...fields, timestamp: readTimestamp(source) };
  return is("AgentMessage", complete) ? complete : undefined;
}

function readAnswer(source: Source): AssistantMessage {
  const { metadata, missing } = source;
  const { usage, stopReason, errorMessage } = metadata;
  const content = readAnswerBlocks(source);
  const message: AssistantMessage = {
    role: "assistant",
    content,
    api: readName("api", source),
    provider: readName("provider", source),
    model: readName("model", source),
    usage: is("Usage", usage) ? usage : synthesise("/usage", emptyUsage(), missing),
    stopReason: is("StopReason", stopReason)
      ? stopReason
      : synthesise("/stopReason", impliedStop(content), missing),
    timestamp: readTimestamp(source),
  };
  if (typeof errorMessage === "string") message.errorMessage = errorMessage;
  return message;
}

function readAnswerBlocks(source: Source): AssistantContent[] {
  const content = readContent(source);
  const thinking = readReasoning(source.metadata["reasoning"], source.marks["thinking"]);
  const call = readCall(source);
  if (call === undefined) return thinking.length === 0 ? content : [...thinking, ...content];
  return [...thinking, ...content, call];
}

function readCall(source: Source): ToolCall | undefined {
  const { toolCall } = source.turn;
  if (toolCall === undefined || toolCall === null) return undefined;
  if (!isObject(toolCall)) throw invalid(source, "/toolCall", "an object");
  const { id, name, arguments: args } = toolCall;
  if (typeof id !== "string") throw invalid(source, "/toolCall/id", "a string");
  if (typeof name !== "string") throw invalid(source, "/toolCall/name", "a string");
  const call: ToolCall = { type: "toolCall", id, name, arguments: isObject(args) ? args : {} };
  if (args !== undefined && !isObject(args))
    call.argumentsError = "the turn has something else than an object";
  if (!isObject(source.marks["toolCall"])) return call;
  const complete = { ...call, ...source.marks["toolCall"] };
  return is("ToolCall", complete) ? complete : call;
}

function readResult(source: Source): ToolResultMessage {
  const { turn, missing } = source;
  const { toolCallId, output, error, isPending } = isObject(turn["toolResult"]) ? turn["toolResult"] : NONE;
  const isError = error !== undefined && error !== null && error !== false;
  const content = readResultContent(isError ? error : output, source);
  const details = readDetails(isError ? error : output, content, source);
  return {
    role: "toolResult",
    toolCallId: typeof toolCallId === "string" ? toolCallId : synthesise("/toolCallId", "", missing),
    toolName: readName("toolName", source),
    content,
    ...(details === undefined ? {} : { details }),
    isError,
    ...(isPending === true ? { isPending } : {}),
    timestamp: readTimestamp(source),
  };
}

/** Some programs leave the content empty and put the text, or a JSON value, into the result alone. */
function readResultContent(value: unknown, source: Source): ContentBlock[] {
  const { content } = source.turn;
  const isEmpty = content === undefined || (Array.isArray(content) && content.length === 0);
  if (!isEmpty || !isValue(value) || value === "") return readContent(source);
  source.notes.textIn = "result";
  return [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }];
}

/** The tool's output, if it is not just the text that the model is shown. */
function readDetails(value: unknown, content: ContentBlock[], { metadata, notes }: Source): unknown {
  const { details } = metadata;
  if (details !== undefined || !isValue(value) || value === (textOf(content) ?? "")) return details;
  notes.detailsIn = "result";
  return value;
}

/** A boolean is not a value: `error: true` only states that there was an error. */
function isValue(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== "boolean";
}

function readContent(source: Source): ContentBlock[] {
  const { content } = source.turn;
  const media = mediaOf(source.turn);
  if (Array.isArray(content)) {
    return readBlocks(content, media, source.marks["blocks"], `${source.at}/content`);
  }
  if (content === undefined || content === null) {
    return withFiles(synthesise("/content", [], source.missing), media);
  }
  if (typeof content !== "string") throw invalid(source, "/content", "an array");
  source.notes.textIn = "string";
  return withFiles([{ type: "text", text: content }], media);
}

function readTimestamp(source: Source): number {
  const { timestamp } = source.turn;
  if (timestamp === undefined) return synthesise("/timestamp", 0, source.missing);
  if (!isTime(timestamp)) throw invalid(source, "/timestamp", "a number");
  if (source.marks["milliseconds"] === true || !looksLikeSeconds(timestamp)) return timestamp;
  source.notes.seconds = true;
  return timestamp * 1000;
}

function readName(key: "api" | "provider" | "model" | "toolName", { metadata, missing }: Source): string {
  const name = metadata[key];
  return typeof name === "string" ? name : synthesise(`/${key}`, "", missing);
}

function synthesise<T>(pointer: string, neutral: T, missing: string[]): T {
  missing.push(pointer);
  return neutral;
}

/** `path` points from the turn to the invalid value; for a missing value the error names its parent. */
function invalid({ turn, at }: Source, path: string, expected: string): DragomanError {
  const found = resolvePointer(turn, path) !== undefined;
  const place = found ? path : path.slice(0, path.lastIndexOf("/"));
  const message = `expected ${expected} as ${path.slice(1).replace("/", ".")}`;
  return new DragomanError("model/invalid", message, { at: `${at}${place}` });
}
