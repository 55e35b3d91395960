import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isNumber, isObject, isString } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { noteMessage } from "../../core/message/notes.js";
import { emptyUsage } from "../../core/message/usage.js";
import { differencesOf } from "../../core/records/differences.js";
import { unexpected } from "../../core/records/unexpected.js";
import { instantOf } from "../../core/time.js";
import type { AgentMessage, AssistantContent, UserContent } from "../../core/types.js";
import { readFile, readRequest } from "./blocks.js";
import { customTypeOf, plainEvent, UNKNOWN_ERROR } from "./encode.js";
import { extWith } from "./notes.js";
import { dataOf, type Kind, kindOf, NAME, PROVIDER } from "./wire.js";

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  return unit.map((record, index) => ({
    message: readEvent(record, unit[index - 1] ?? last, `/${index}`),
    record: index,
  }));
}

/** A message before its notes, and the fields that the event lacks. */
interface Draft {
  message: AgentMessage;
  synthesised?: string[];
  /** Kept beside the differences. */
  kept?: JsonRecord;
}

function readEvent(record: JsonRecord, last: JsonRecord | undefined, at: string): AgentMessage {
  const { type, id, timestamp } = record;
  if (!isString(type) || type === "") throw unexpected(`${at}/type`, "the type of an event", type);
  const time = isString(timestamp) ? instantOf(timestamp) : undefined;
  const kind = kindOf(record);
  // A log has one session, at its start.
  const isLater = kind === "session" && last !== undefined;
  const draft = draftOf(record, isLater ? "other" : kind, type, time ?? 0);
  const isSession = draft.message.role === "session";
  const message: AgentMessage = { ...draft.message, ...(isString(id) && !isSession ? { id } : {}) };
  const synthesised = [...(draft.synthesised ?? []), ...(time === undefined ? ["/timestamp"] : [])];
  const kept = draft.kept ?? {};
  const ours = plainEvent({ ...message, ...extWith(kept, synthesised) }, last) ?? {};
  return { ...message, ...extWith({ ...kept, ...differencesOf(record, ours) }, synthesised) };
}

function draftOf(record: JsonRecord, kind: Kind, type: string, timestamp: number): Draft {
  const data = dataOf(record);
  const text = (name: string) => String(data[name]);
  switch (kind) {
    case "session":
      return readSession(data, timestamp);
    case "user":
      return { message: { role: "user", content: readPrompt(data), timestamp } };
    case "answer":
      return readAnswer(data, timestamp);
    case "result":
      return readResult(data, timestamp);
    case "compaction": {
      const { preCompactionTokens: tokens } = data;
      const tokensBefore = isNumber(tokens) ? { tokensBefore: tokens } : {};
      return { message: { role: "compaction", summary: text("summaryContent"), ...tokensBefore, timestamp } };
    }
    case "system":
      return { message: { role: "system", content: text("content"), timestamp } };
    case "error": {
      const { errorType } = data;
      const code = isString(errorType) && errorType !== UNKNOWN_ERROR ? { code: errorType } : {};
      return { message: { role: "error", content: text("message"), ...code, timestamp } };
    }
    case "title":
      return { message: noteMessage({ type: "dragoman/meta", data: { title: text("title") } }, timestamp) };
    case "other": {
      const own = record["data"] === undefined ? {} : { data: record["data"] };
      return { message: { role: "custom", customType: customTypeOf(type), ...own, timestamp } };
    }
  }
}

function readSession(data: JsonRecord, timestamp: number): Draft {
  const { sessionId, context } = data;
  const cwd = isObject(context) ? context["cwd"] : undefined;
  return {
    message: { role: "session", ...(isString(sessionId) ? { id: sessionId } : {}), timestamp },
    ...(isString(cwd) ? { kept: { cwd } } : {}),
  };
}

function readPrompt({ content, attachments }: JsonRecord): string | UserContent[] {
  const text = String(content);
  if (!Array.isArray(attachments) || attachments.length === 0) return text;
  const files = attachments.map((file: unknown) => readFile(file, "attachment"));
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...files];
}

function readAnswer(data: JsonRecord, timestamp: number): Draft {
  const { content: text, reasoningText, toolRequests, model, outputTokens } = data;
  const content: AssistantContent[] = [
    ...(isString(reasoningText) ? [{ type: "thinking" as const, thinking: reasoningText }] : []),
    ...(text === "" ? [] : [{ type: "text" as const, text: String(text) }]),
    ...(Array.isArray(toolRequests) ? toolRequests : []).map(
      (request: unknown): AssistantContent =>
        readRequest(request) ?? { type: "opaque", dialect: NAME, value: request },
    ),
  ];
  const output = isNumber(outputTokens) ? outputTokens : undefined;
  return {
    message: {
      role: "assistant",
      content,
      api: "",
      provider: PROVIDER,
      model: isString(model) ? model : "",
      usage: { ...emptyUsage(), output: output ?? 0, totalTokens: output ?? 0 },
      stopReason: impliedStop(content),
      timestamp,
    },
    synthesised: [
      "/api",
      ...(isString(model) ? [] : ["/model"]),
      ...(output === undefined ? ["/usage"] : UNKNOWN_USAGE),
      "/stopReason",
    ],
  };
}

/** An answer states only its output tokens. */
const UNKNOWN_USAGE = ["input", "cacheRead", "cacheWrite", "totalTokens", "cost"].map(
  (field) => `/usage/${field}`,
);

function readResult(data: JsonRecord, timestamp: number): Draft {
  const { toolCallId, success, result, error } = data;
  const outcome = isObject(result) ? result : {};
  const isError = success === false;
  const reason = isObject(error) ? error["message"] : undefined;
  const text = isError && isString(reason) ? reason : outcome["content"];
  const { binaryResultsForLlm: files, structuredContent: details } = outcome;
  const content: UserContent[] = [
    ...(isString(text) && text !== "" ? [{ type: "text" as const, text }] : []),
    ...(Array.isArray(files) ? files.map((file: unknown) => readFile(file, "result")) : []),
  ];
  return {
    message: {
      role: "toolResult",
      toolCallId: String(toolCallId),
      toolName: "",
      content,
      ...(details === undefined ? {} : { details }),
      isError,
      timestamp,
    },
    synthesised: ["/toolName", ...(typeof success === "boolean" ? [] : ["/isError"])],
  };
}
