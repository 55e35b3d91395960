import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty } from "../../core/json/value.js";
import { isUnseen } from "../../core/shown/system-prompt.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  SystemMessage,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../../core/types.js";
import { type ContentBlock, isPlainText, textOf, writeBlocks } from "./blocks.js";
import { carry } from "./carried-message.js";
import {
  addCommon,
  finishTurn,
  headOf,
  modelFields,
  startTurn,
  type TurnContent,
} from "./encode-metadata.js";
import { omittedFields } from "./metadata-ext.js";
import { type Notes, notesOf, readNotes, restoreTurn } from "./notes.js";
import { writeReasoning } from "./reasoning.js";
import { isUnknownRole, writeUnknownRole } from "./unknown-role.js";
import { type Marks, NAME, type SessionToolResult, type SessionTurn } from "./wire.js";

export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  return unit.flatMap(encodeOne);
}

function encodeOne(message: AgentMessage): JsonRecord[] {
  if (message.ext?.[NAME] === undefined) return write(message);
  const notes = notesOf(message);
  const [first, ...others] = write(message, readNotes(notes));
  if (first === undefined) return others;
  const isAnswered = message.role === "toolResult" && !omittedFields(message).includes("/toolCallId");
  return [restoreTurn(first, notes, isAnswered), ...others];
}

/** A message's turns as we write them, without the source's deviations. */
export function write(message: AgentMessage, notes: Notes = {}): JsonRecord[] {
  switch (message.role) {
    case "user":
    case "system":
      return [writeUserOrSystem(message, notes)];
    case "assistant":
      return writeAnswer(message, notes);
    case "toolResult":
      return [writeResult(message, notes)];
    default:
      if (isUnknownRole(message)) return [writeUnknownRole(message)];
      return isUnseen(message) && notes.carried !== true ? [] : [writeCarried(message, notes)];
  }
}

function writeUserOrSystem(message: UserMessage | SystemMessage, notes: Notes): SessionTurn {
  const head = headOf(message, notes, modelFields.userOrSystem, {});
  const turn = startTurn(message.role, writeContent(message.content, notes, head.marks), head);
  return finishTurn(turn, head.metadata, head.marks);
}

function writeContent(content: string | ContentBlock[], notes: Notes, marks: Marks): TurnContent {
  if (typeof content === "string") {
    marks.string = true;
    return { content: [{ type: "text", text: content }] };
  }
  const [only] = content;
  if (notes.textIn !== undefined && content.length === 1 && isPlainText(only)) {
    return { content: notes.textIn === "string" ? only.text : [] };
  }
  const { marks: found, ...written } = writeBlocks(content);
  if (found !== undefined) marks.blocks = found;
  return written;
}

function writeAnswer(message: AssistantMessage, notes: Notes): SessionTurn[] {
  const { api, provider, model, usage, stopReason, errorMessage } = message;
  const own: JsonRecord = { api, provider, model, usage, stopReason };
  if (errorMessage !== undefined) own["errorMessage"] = errorMessage;
  const head = headOf(message, notes, modelFields.answer, own);
  const parts = split(message.content);
  return parts.map(({ thinking, blocks, call }, index) => {
    const metadata = index === 0 ? head.metadata : {};
    const marks: Marks = index === 0 ? head.marks : {};
    if (parts.length > 1) Object.assign(marks, { part: index + 1, parts: parts.length });
    const turn = startTurn("assistant", writeContent(blocks, notes, marks), head);
    if (thinking.length > 0) {
      const written = writeReasoning(thinking);
      metadata["reasoning"] = written.reasoning;
      if (written.marks !== undefined) marks.thinking = written.marks;
    }
    if (call !== undefined) {
      const { type: _, id, name, arguments: args, ...extra } = call;
      turn.toolCall = { id, name, arguments: args };
      if (!isEmpty(extra)) marks.toolCall = extra;
    }
    return finishTurn(turn, metadata, marks);
  });
}

/** The content of one turn of an answer. */
interface Part {
  thinking: ThinkingContent[];
  blocks: ContentBlock[];
  call?: ToolCall;
}

/** The fewest turns that keep the blocks in order: each has thinking, then content, then at most one call. */
function split(content: AssistantContent[]): Part[] {
  if (content.every(isPlainText)) return [{ thinking: [], blocks: content }];
  let part: Part = { thinking: [], blocks: [] };
  const parts = [part];
  for (const block of content) {
    if (part.call !== undefined || (block.type === "thinking" && part.blocks.length > 0)) {
      part = { thinking: [], blocks: [] };
      parts.push(part);
    }
    if (block.type === "thinking") part.thinking.push(block);
    else if (block.type === "toolCall") part.call = block;
    else part.blocks.push(block);
  }
  return parts;
}

function writeResult(message: ToolResultMessage, notes: Notes): SessionTurn {
  const { toolName, details, isError, isPending } = message;
  const isDetailed = notes.detailsIn === "result" && details !== undefined;
  const own: JsonRecord = details === undefined || isDetailed ? { toolName } : { toolName, details };
  const head = headOf(message, notes, modelFields.result, own);
  const turn = startTurn("tool", writeContent(message.content, notes, head.marks), head);
  const result: SessionToolResult = head.omitted.includes("/toolCallId")
    ? {}
    : { toolCallId: message.toolCallId };
  const value = isDetailed ? details : textOf(message.content);
  if (isError) result.error = value ?? "";
  else if (value !== undefined) result.output = value;
  if (isPending !== undefined) result.isPending = isPending;
  turn.toolResult = result;
  return finishTurn(turn, head.metadata, head.marks);
}

function writeCarried(source: AgentMessage, notes: Notes): SessionTurn {
  const { text, field, message, placed } = carry(source);
  const marks: Marks = field === undefined ? { message } : { message, text: field };
  const head = { timestamp: undefined, metadata: placed, marks, omitted: omittedFields(source) };
  const turn = startTurn("system", { content: [{ type: "text", text }] }, addCommon(head, source, notes));
  if (source.role === "compaction") turn._compacted = true;
  return finishTurn(turn, placed, marks);
}
