import type { JsonRecord } from "../../core/dialect.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { noteOf } from "../../core/message/notes.js";
import { restore } from "../../core/records/deviation.js";
import { promptText } from "../../core/shown/system-prompt.js";
import { LAST_DATE } from "../../core/time.js";
import type {
  AgentMessage,
  AssistantMessage,
  CompactionMessage,
  ErrorMessage,
  SessionMessage,
  ToolResultMessage,
  UserMessage,
} from "../../core/types.js";
import { isUuid, uuidFor } from "../../core/uuid.js";
import { textIn, writeFiles, writeRequest } from "./blocks.js";
import { notesOf } from "./notes.js";
import { NAME, OWN_SYSTEM, VERSION } from "./wire.js";

const PREFIX = `${NAME}/`;

/** The model's name for events that the model has no message for. */
export function customTypeOf(type: string): string {
  return PREFIX + type;
}

export function joinsMessage(): boolean {
  return false;
}

/** The event of a message. A log starts with the session; a later session message leaves no event. */
export function encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const [message] = unit;
  if (message === undefined) return [plainEvent(sessionFor(next), undefined) ?? {}];
  if (message.role === "session" && last !== undefined) return [];
  const ours = plainEvent(message, last);
  return ours === undefined ? [] : [restore(ours, notesOf(message))];
}

function sessionFor(next: AgentMessage | undefined): SessionMessage {
  const isTimed = next !== undefined && !isSynthesised(next, "/timestamp");
  return { role: "session", timestamp: isTimed ? next.timestamp : 0 };
}

/** The event that we would write; undefined if the log has none for the message. `last` is the event before it. */
export function plainEvent(message: AgentMessage, last: JsonRecord | undefined): JsonRecord | undefined {
  const event = eventOf(message);
  if (event === undefined) return undefined;
  const before = isString(last?.["id"]) ? last["id"] : null;
  const time = timeOf(message, last);
  const id = idOf(message, before, time);
  return { ...event(id, time), id, timestamp: time, parentId: before };
}

type Event = (id: string, time: string) => { type: string; data?: unknown; ephemeral?: true };

function eventOf(message: AgentMessage): Event | undefined {
  switch (message.role) {
    case "session":
      return (id, time) => ({ type: "session.start", data: sessionData(message, id, time) });
    case "user":
      return () => ({ type: "user.message", data: userData(message) });
    case "assistant":
      return (id) => ({ type: "assistant.message", data: answerData(message, id) });
    case "toolResult":
      return () => ({ type: "tool.execution_complete", data: resultData(message) });
    case "compaction":
      return () => ({ type: "session.compaction_complete", data: compactionData(message) });
    case "system":
      return () => ({
        type: "system.message",
        data: { role: "system", content: promptText(message), name: OWN_SYSTEM },
      });
    case "error":
      return () => ({ type: "session.error", data: errorData(message) });
    case "custom": {
      const note = noteOf(message);
      if (note?.type === "dragoman/meta" && note.data.title !== undefined) {
        const { title } = note.data;
        return () => ({ type: "session.title_changed", data: { title }, ephemeral: true });
      }
      const { customType, data } = message;
      if (!customType.startsWith(PREFIX)) return undefined;
      return () => ({ type: customType.slice(PREFIX.length), ...(data === undefined ? {} : { data }) });
    }
    default:
      return undefined;
  }
}

function timeOf(message: AgentMessage, last: JsonRecord | undefined): string {
  const { timestamp } = last ?? {};
  if (isSynthesised(message, "/timestamp") && isString(timestamp)) return timestamp;
  const ms: unknown = message.timestamp;
  const isDate = typeof ms === "number" && Math.abs(ms) <= LAST_DATE;
  return new Date(isDate ? Math.trunc(ms) : 0).toISOString();
}

/** A session's id is in its data; its event has another. */
function idOf(message: AgentMessage, before: string | null, time: string): string {
  const { id, role } = message;
  if (role === "session") return uuidFor(`event ${id ?? time}`);
  if (id === undefined) return uuidFor(JSON.stringify([before, role, time]));
  return isUuid(id) ? id : uuidFor(id);
}

function sessionData(session: SessionMessage, id: string, time: string): JsonObject {
  const cwd = folderOf(session);
  return {
    sessionId:
      session.id === undefined
        ? uuidFor(`session ${id}`)
        : isUuid(session.id)
          ? session.id
          : uuidFor(session.id),
    version: VERSION,
    producer: "copilot-agent",
    copilotVersion: "1.0.0",
    startTime: time,
    ...(cwd === undefined ? {} : { context: { cwd } }),
  };
}

function userData({ content }: UserMessage): JsonObject {
  if (typeof content === "string") return { content };
  const attachments = writeFiles(content, "attachment");
  return { content: textIn(content), ...(attachments.length === 0 ? {} : { attachments }) };
}

function answerData(message: AssistantMessage, messageId: string): JsonObject {
  const { content, model, usage } = message;
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const thoughts = content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
  const requests = content.flatMap((block): unknown[] => {
    if (block.type === "toolCall") return [writeRequest(block)];
    return block.type === "opaque" && block.dialect === NAME ? [block.value] : [];
  });
  return {
    messageId,
    ...(isSynthesised(message, "/model") ? {} : { model }),
    content: texts.join("\n"),
    toolRequests: requests,
    ...(thoughts.length === 0 ? {} : { reasoningText: thoughts.join("\n\n") }),
    ...(isSynthesised(message, "/usage/output") ? {} : { outputTokens: usage.output }),
  };
}

function resultData({ toolCallId, isError, content, details }: ToolResultMessage): JsonObject {
  const text = textIn(content);
  if (isError) return { toolCallId, success: false, error: { message: text } };
  const files = writeFiles(content, "result");
  const result = {
    content: text,
    ...(files.length === 0 ? {} : { binaryResultsForLlm: files }),
    ...(details === undefined ? {} : { structuredContent: details }),
  };
  return { toolCallId, success: true, result };
}

function compactionData({ summary, tokensBefore }: CompactionMessage): JsonObject {
  const tokens = tokensBefore === undefined ? {} : { preCompactionTokens: tokensBefore };
  return { success: true, ...tokens, summaryContent: summary };
}

function errorData({ content, code }: ErrorMessage): JsonObject {
  return { errorType: isString(code) ? code : UNKNOWN_ERROR, message: content };
}

/** The type of an error that has none. */
export const UNKNOWN_ERROR = "unknown";
