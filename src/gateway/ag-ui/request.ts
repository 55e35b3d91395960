import type { ToolSpec } from "../../core/api/provider.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import type { FormContent } from "../../core/message/question.js";
import { mediaWithData, mediaWithUrl } from "../../core/message/typed-media.js";
import type { UserContent, UserMessage } from "../../core/types.js";
import { badRequest } from "../refusals.js";
import { readTools, resultsIn } from "./page-tools.js";

/** The user's answer to an interrupt. */
export interface InterruptAnswer {
  id: string;
  answer: "once" | "session" | "never";
  values: JsonObject;
}

export interface RunRequest {
  threadId: string;
  runId: string;
  protocolVersion: string | undefined;
  /** The last user message. Earlier messages are ignored: the history is ours. */
  prompt: { id: string; message: UserMessage } | undefined;
  /** Whether the client has a part of the answer, to which it would append. */
  isAnswered: boolean;
  resume: InterruptAnswer[];
  /** The tools that the page runs itself. */
  tools: ToolSpec[];
  /** The results of the page's tools for the last answer's calls, by the calls' ids. */
  results: ReadonlyMap<string, FormContent>;
  /** The fields that have content and no effect. */
  ignored: string[];
}

/** Messages of other roles, such as activities, are the page's own. */
const ROLES: readonly unknown[] = ["user", "assistant", "tool", "reasoning"];

/** Reads a `RunAgentInput`. */
export function readRunRequest(body: unknown, now: number): RunRequest {
  if (!isObject(body)) throw badRequest("the body must be a JSON object");
  const { threadId, runId, protocolVersion, messages, resume } = body;
  if (!isString(threadId)) throw badRequest("threadId must be a text");
  if (!isString(runId)) throw badRequest("runId must be a text");
  if (!Array.isArray(messages)) throw badRequest("messages must be an array");
  const last: unknown = messages.findLast((message) => isObject(message) && ROLES.includes(message["role"]));
  return {
    threadId,
    runId,
    protocolVersion: isString(protocolVersion) ? protocolVersion : undefined,
    prompt: promptIn(messages, now),
    isAnswered: isObject(last) && last["role"] !== "user",
    resume: Array.isArray(resume) ? resume.map(readAnswer) : [],
    tools: readTools(body["tools"]),
    results: resultsIn(messages),
    ignored: ["context", "state", "forwardedProps"].filter((field) => hasContent(body[field])),
  };
}

function hasContent(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : !isObject(value) || Object.keys(value).length > 0;
}

function promptIn(messages: readonly unknown[], now: number): RunRequest["prompt"] {
  const last = messages.findLast((message) => isObject(message) && message["role"] === "user");
  if (!isObject(last)) return undefined;
  const { id, content } = last;
  if (!isString(id) || id === "") throw badRequest("the last user message needs an id");
  return { id, message: { role: "user", content: readContent(content), timestamp: now } };
}

function readContent(content: unknown): UserMessage["content"] {
  if (isString(content) && content !== "") return content;
  if (!Array.isArray(content) || content.length === 0)
    throw badRequest("the last user message has no content");
  return content.map(readPart);
}

function readPart(part: unknown): UserContent {
  if (!isObject(part)) throw badRequest("a part of the last user message is not an object");
  const { type, text, source } = part;
  if (type === "text" && isString(text)) return { type, text };
  const media = isObject(source) ? readSource(source) : readBinary(part);
  if (media === undefined) {
    throw badRequest(`a part of type ${JSON.stringify(type)} of the last user message cannot be read`);
  }
  return media;
}

function readSource({ type, value, mimeType }: JsonObject): UserContent | undefined {
  if (!isString(value)) return undefined;
  if (type === "data" && isString(mimeType)) return mediaWithData(mimeType, value);
  return type === "url" ? mediaWithUrl(isString(mimeType) ? mimeType : undefined, value) : undefined;
}

/** As clients before 1.0 write it. */
function readBinary({ type, mimeType, data, url }: JsonObject): UserContent | undefined {
  if (type !== "binary" || !isString(mimeType)) return undefined;
  if (isString(data)) return mediaWithData(mimeType, data);
  return isString(url) ? mediaWithUrl(mimeType, url) : undefined;
}

function readAnswer(entry: unknown): InterruptAnswer {
  if (!isObject(entry) || !isString(entry["interruptId"])) {
    throw badRequest("an entry of resume has no interruptId");
  }
  const { interruptId: id, status, payload } = entry;
  const { approved, scope, values } = isObject(payload) ? payload : { approved: payload };
  const isApproved = status === "resolved" && approved === true;
  const granted = scope === "session" ? "session" : "once";
  return { id, answer: isApproved ? granted : "never", values: isObject(values) ? values : {} };
}
