import type { JsonRecord } from "../../core/dialect.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { countsIn } from "../../core/records/interleave.js";
import { restoreTreeLine } from "../../core/records/tree-line.js";
import { isoTime } from "../../core/time.js";
import type { AssistantMessage, StopReason, Usage } from "../../core/types.js";
import { writeAnswerBlock, writeBlocks } from "./blocks.js";
import { type Frame, framed, frameOf, lineUuid, timeOf, uuidOf } from "./frame.js";
import { laterLines, notesOf } from "./notes.js";
import { isLink, NAME } from "./wire.js";

/** The lines of an answer, one per block; none if nothing of it can be written. `last` is the line before. */
export function answerLines(message: AssistantMessage, last: JsonRecord): JsonRecord[] {
  const notes = notesOf(message);
  const blocks = writeBlocks(message.content, (block) => writeAnswerBlock(block, message.api));
  if (blocks.length === 0 && message.ext?.[NAME] === undefined) return [];
  const [first = [], ...others] = spread(blocks, countsIn(notes["counts"]));
  const only = notes["string"] === true && others.length === 0 ? textOf(first) : undefined;
  const frame = frameOf(message, last);
  const ids = lineIds(frame, others.length + 1);
  const lines = [restoreTreeLine(firstLine(message, only ?? first, frame, ids), notes, message)];
  const later = laterLines(notes);
  const start = message.ext?.[NAME] === undefined ? timeOf(lines[0] ?? {}) : undefined;
  for (const [index, content] of others.entries()) {
    const line = nextLine(lines[index] ?? {}, content, ids[index + 1]);
    // Earlier versions open a session at the first of the newest lines, and so would lose what follows it.
    if (start !== undefined) line["timestamp"] = isoTime(start + index + 1);
    lines.push(restoreTreeLine(line, later[index] ?? {}));
  }
  if (later.length >= lines.length || (message.id !== undefined && !isLink(lines.at(-1) ?? {})))
    nameLast(lines, message.id);
  return lines;
}

/** If blocks were removed, and so the last line was, or the message got an id, its last line gets the id. */
function nameLast(lines: readonly JsonRecord[], id: string | undefined): void {
  const end = lines.at(-1);
  if (id === undefined) Reflect.deleteProperty(end ?? {}, "uuid");
  else if (end !== undefined) end["uuid"] = isLink(end) ? id : uuidOf(id);
}

/** The ids of an answer's lines. The last line has the answer's own id, because what follows names it. */
export function lineIds({ after }: Frame, count: number): string[] {
  const uuid = String(after["uuid"]);
  const ids: string[] = [];
  for (let line = 0; line < count - 1; line++) ids.push(lineUuid(uuid, line));
  ids.push(uuid);
  return ids;
}

/** The blocks of each line: as many as noted, then one. */
function spread(blocks: readonly JsonObject[], counts: readonly number[]): JsonObject[][] {
  const lines: JsonObject[][] = [];
  let start = 0;
  for (const count of counts) {
    if (start >= blocks.length && count > 0) break;
    lines.push(blocks.slice(start, start + count));
    start += count;
  }
  for (const block of blocks.slice(start)) lines.push([block]);
  return lines;
}

function textOf([first]: readonly JsonObject[]): unknown {
  return first?.["type"] === "text" ? first["text"] : undefined;
}

export function firstLine(
  message: AssistantMessage,
  content: unknown,
  { before, after }: Frame,
  ids: readonly string[],
): JsonRecord {
  const id = `msg_${(ids.at(-1) ?? "").replaceAll("-", "")}`;
  const inner: JsonObject = { id, type: "message", role: "assistant" };
  if (!isSynthesised(message, "/model")) inner["model"] = message.model;
  inner["content"] = content;
  inner["stop_reason"] = isSynthesised(message, "/stopReason") ? null : stopReasons[message.stopReason];
  inner["stop_sequence"] = null;
  if (!isSynthesised(message, "/usage")) inner["usage"] = usageOf(message.usage);
  return framed({ before, after: { ...after, uuid: ids[0] } }, { type: "assistant", message: inner });
}

/** A further line, which repeats the one before it. */
export function nextLine(before: JsonRecord, content: unknown, uuid: string | undefined): JsonRecord {
  const inner = isObject(before["message"]) ? before["message"] : {};
  return { ...before, parentUuid: before["uuid"] ?? null, message: { ...inner, content }, uuid };
}

/** A broken answer has none. */
const stopReasons: Readonly<Record<StopReason, string | null>> = {
  stop: "end_turn",
  length: "max_tokens",
  toolUse: "tool_use",
  error: null,
  aborted: null,
};

export function usageOf({ input, output, cacheRead, cacheWrite }: Usage): JsonObject {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  };
}
