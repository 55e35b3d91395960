import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import { derivedId } from "../../core/message/derived-id.js";
import { isBroken, isSilent } from "../../core/message/failure.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { isAbsent, withFields } from "../../core/records/deviation.js";
import { headPrompt } from "../../core/shown/system-prompt.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage, UserMessage } from "../../core/types.js";
import { encodeBlock, isPlainText } from "./blocks.js";
import { encodeHeader } from "./header.js";
import { encodeMetrics, isUsageEmpty, isUsageUnknown } from "./metrics.js";
import { notesOf } from "./notes.js";
import { encodeResult } from "./tool-result.js";
import { withTime } from "./updated-at.js";
import { ASSISTANT_BLOCKS, USER_BLOCKS } from "./wire.js";

type WrittenMessage = UserMessage | AssistantMessage | ToolResultMessage;

/** A turn lasts until the next user message. User blocks from a record with tool results do not end it. */
export function joinsMessage(last: AgentMessage, next: AgentMessage): boolean {
  return next.role !== "user" || (last.role === "toolResult" && isMerged(next));
}

/**
 * The records of a turn, or of a session message and the messages before the first turn. Without a session message, an
 * empty unit writes the header, unless the `next` message is the system prompt, which is written with the header.
 */
export function encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const [first, ...others] = unit;
  if (first === undefined) return next?.role === "system" ? [] : [encodeHeader()];
  const isFirst = last === undefined;
  if (first.role === "session" && isFirst) {
    const { prompt, rest } = headPrompt(others);
    return [encodeHeader(first, prompt), ...encodeTurn(rest)];
  }
  if (first.role === "system" && isFirst) {
    const { prompt, rest } = headPrompt(unit);
    return [encodeHeader(undefined, prompt), ...encodeTurn(rest)];
  }
  // There is one header: a later session message leaves no record.
  return encodeTurn(unit, last);
}

function encodeTurn(messages: readonly AgentMessage[], last?: JsonRecord): JsonRecord[] {
  const before = typeof last?.["id"] === "string" ? last["id"] : undefined;
  const idOf = (message: WrittenMessage, place: number) =>
    ownId(message) ?? { id: derivedId(message, place, before) };
  const metrics = metricsByPlace(messages);
  const records: JsonRecord[] = [];
  let results: { message: ToolResultMessage; place: number }[] = [];
  const closeResults = (user?: UserMessage) => {
    const [first] = results;
    if (first === undefined) return;
    const written = results.map(({ message }) => message);
    const blocks = withUserBlocks(written.map(encodeResult), user);
    const record = encodeUserRecord(first.message, idOf(first.message, first.place), blocks);
    records.push(withTime(record, ...written, ...(user === undefined ? [] : [user])));
    results = [];
  };
  for (const [place, message] of messages.entries()) {
    switch (message.role) {
      case "toolResult":
        if (notesOf(message)["apart"] === true) closeResults();
        results.push({ message, place });
        break;
      case "user":
        if (results.length > 0 && isMerged(message)) closeResults(message);
        else {
          closeResults();
          const record = encodeUserRecord(message, idOf(message, place), encodeUser(message));
          records.push(withTime(record, message));
        }
        break;
      case "assistant":
        if (!isWritten(message)) break;
        closeResults();
        records.push(withTime(encodeAssistant(message, idOf(message, place), metrics.get(place)), message));
        break;
    }
  }
  closeResults();
  return records;
}

function isMerged(message: UserMessage): boolean {
  return notesOf(message)["merged"] === true;
}

/** A complete answer without content, which the contract has no message for. One read from a file is written back. */
function isEmptyAnswer(message: AssistantMessage): boolean {
  return message.content.length === 0 && !isBroken(message) && !isSynthesised(message, "/api");
}

/** An attempt that failed before any output. The contract has no message for it. */
function isOutputless(message: AssistantMessage): boolean {
  if (!isSilent(message)) return false;
  const isUnknown = isUsageUnknown(message) || isSynthesised(message, "/usage/output");
  return isUnknown || isUsageEmpty(message.usage);
}

/**
 * The metrics by the message's place: the last assistant message of the turn has the sum over the turn. A retried attempt
 * has its own, and so has a message that was read with metrics.
 */
function metricsByPlace(messages: readonly AgentMessage[]): Map<number, JsonObject> {
  const written = [...messages.entries()].flatMap(([place, message]) =>
    isWritten(message) ? [{ place, message }] : [],
  );
  const last = written.findLast(({ message }) => message.role === "assistant")?.place;
  const found = new Map<number, JsonObject>();
  // The usage of answers without content counts for the turn.
  let attempt = messages.filter(
    (message): message is AssistantMessage => message.role === "assistant" && isEmptyAnswer(message),
  );
  for (const [index, { place, message }] of written.entries()) {
    if (message.role !== "assistant") continue;
    attempt.push(message);
    const isRetried = isBroken(message) && written[index + 1]?.message.role === "assistant";
    if (place !== last && !isRetried && notesOf(message)["closes"] !== true) continue;
    const metrics = encodeMetrics(attempt);
    if (metrics !== undefined) found.set(place, metrics);
    attempt = [];
  }
  return found;
}

/** Whether the file has a message for it. */
function isWritten(message: AgentMessage): message is WrittenMessage {
  if (message.role === "assistant") return !isOutputless(message) && !isEmptyAnswer(message);
  return message.role === "user" || message.role === "toolResult";
}

function encodeUser(message: UserMessage): unknown {
  const { content } = message;
  if (typeof content !== "string") return content.flatMap((block) => encodeBlock(block, USER_BLOCKS));
  return notesOf(message)["string"] === true ? content : [{ type: "text", text: content }];
}

/** The user's blocks among tool results: at their original places if known, otherwise after the results. */
function withUserBlocks(results: readonly JsonObject[], user: UserMessage | undefined): unknown[] {
  if (user === undefined) return [...results];
  const encoded = encodeUser(user);
  const blocks: unknown[] = Array.isArray(encoded) ? encoded : [{ type: "text", text: encoded }];
  const length = results.length + blocks.length;
  const marked = notesOf(user)["places"];
  const places = new Set(Array.isArray(marked) ? marked.filter((at) => at >= 0 && at < length) : []);
  if (places.size !== blocks.length) return [...results, ...blocks];
  const [nextResult, nextBlock] = [results.values(), blocks.values()];
  return Array.from({ length }, (_, at) => (places.has(at) ? nextBlock : nextResult).next().value);
}

function encodeUserRecord(
  message: UserMessage | ToolResultMessage,
  id: JsonObject,
  content: unknown,
): JsonRecord {
  const notes = notesOf(message);
  const own = { ...id, role: "user", content };
  return withFields(notes["timed"] === true ? { ...own, ts: message.timestamp } : own, notes["fields"]);
}

function encodeAssistant(
  message: AssistantMessage,
  id: JsonObject,
  metrics: JsonObject | undefined,
): JsonRecord {
  const notes = notesOf(message);
  const [first, ...others] = message.content;
  const asString = notes["string"] === true && others.length === 0 && isPlainText(first);
  const modelInfo = modelInfoOf(message);
  const blocks = message.content.flatMap((block) => encodeBlock(block, ASSISTANT_BLOCKS));
  const isInterrupted = isBroken(message) && blocks.length > 0 && !isSynthesised(message, "/stopReason");
  const own = {
    ...id,
    role: "assistant",
    content: asString ? first.text : blocks,
    ...(isSynthesised(message, "/timestamp") ? {} : { ts: message.timestamp }),
    ...(modelInfo === undefined ? {} : { modelInfo }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(isInterrupted ? { interrupted: message.stopReason } : {}),
  };
  return withFields(own, notes["fields"]);
}

/** The source's id, or `{}` if it had none; undefined if an id must be derived. */
function ownId(message: WrittenMessage): JsonObject | undefined {
  if (message.id !== undefined) return { id: message.id };
  return isAbsent(notesOf(message), "id") ? {} : undefined;
}

function modelInfoOf(message: AssistantMessage): JsonObject | undefined {
  const { family, modelInfo } = notesOf(message);
  const known = {
    ...(isSynthesised(message, "/model") ? {} : { id: message.model }),
    ...(isSynthesised(message, "/provider") ? {} : { provider: message.provider }),
    ...(typeof family === "string" ? { family } : {}),
  };
  return Object.keys(known).length > 0 || modelInfo !== undefined ? withFields(known, modelInfo) : undefined;
}
