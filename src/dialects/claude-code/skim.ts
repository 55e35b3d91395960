import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, CompactionMessage } from "../../core/types.js";
import type { UnitLine } from "./decode-answer.js";
import { readCompaction } from "./decode-compaction.js";
import { readNote } from "./decode-note.js";
import { linkParts } from "./decode-user.js";
import type { UserPart } from "./encode-user.js";
import { addNotes } from "./notes.js";
import { API, isResult, PROVIDER } from "./wire.js";

/*
 * Messages for finding branches: with the ids, parents and notes that `leafRole` reads. Prompts, results and answers have no
 * content.
 */

const USAGE = emptyUsage();

export function skimAnswer(
  lines: readonly UnitLine[],
  parentId: string | null | undefined,
): AssistantMessage {
  const id = lines.at(-1)?.record["uuid"];
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: API,
    provider: PROVIDER,
    model: "",
    usage: USAGE,
    stopReason: "stop",
    timestamp: 0,
    ...(isString(id) ? { id } : {}),
    ...(parentId === undefined ? {} : { parentId }),
  };
  markSide(message, lines[0]?.record);
  return message;
}

export function skimUser({ record }: UnitLine, parentId: string | null | undefined): UserPart[] {
  const { message } = record;
  const parts = skimParts(isObject(message) ? message["content"] : undefined);
  linkParts(parts, record, parentId);
  markSide(parts[0], record);
  return parts;
}

export function skimCompaction(boundary: UnitLine, summary: UnitLine | undefined): CompactionMessage {
  const message = readCompaction(boundary, summary, undefined);
  markSide(message, boundary.record);
  return message;
}

export function skimNote(line: UnitLine, parentId: string | null | undefined): AgentMessage {
  const message = readNote(line, parentId, undefined);
  if (message.role === "user" && line.record["type"] === "attachment")
    addNotes(message, { type: "attachment" });
  markSide(message, line.record);
  return message;
}

/** Each result, and what the user wrote between them. */
function skimParts(content: unknown): UserPart[] {
  const parts: UserPart[] = [];
  for (const block of Array.isArray(content) ? content : []) {
    if (isResult(block)) parts.push(emptyResult());
    else if (parts.at(-1)?.role !== "user") parts.push(emptyPrompt());
  }
  return parts.length === 0 ? [emptyPrompt()] : parts;
}

function emptyPrompt(): UserPart {
  return { role: "user", content: "", timestamp: 0 };
}

function emptyResult(): UserPart {
  return { role: "toolResult", toolCallId: "", toolName: "", content: [], isError: false, timestamp: 0 };
}

function markSide(message: AgentMessage | undefined, record: JsonRecord | undefined): void {
  if (message !== undefined && record?.["isSidechain"] === true) {
    addNotes(message, { fields: { isSidechain: true } });
  }
}
