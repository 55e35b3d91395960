import { readClaudeStop } from "../../core/api/claude-stop-reason.js";
import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import { differencesOf } from "../../core/records/differences.js";
import type { AssistantContent, AssistantMessage, Usage } from "../../core/types.js";
import { blocksIn, readAnswerBlock, writeAnswerBlock, writeBlocks } from "./blocks.js";
import { firstLine, lineIds, nextLine } from "./encode-answer.js";
import { frameOf, timeOf } from "./frame.js";
import { addNotes, lineNotes } from "./notes.js";
import { API, PROVIDER } from "./wire.js";

/** A line, with its index in the unit. */
export interface UnitLine {
  record: JsonRecord;
  index: number;
}

/**
 * An answer from its lines. `parentId` is the message that it follows, `last` the line before the first of them: without
 * it, nothing is noted.
 */
export function readAnswer(
  lines: readonly UnitLine[],
  parentId: string | null | undefined,
  last: JsonRecord | undefined,
): AssistantMessage {
  const contents: AssistantContent[][] = [];
  const content: AssistantContent[] = [];
  let model: string | undefined;
  let counts: JsonObject | undefined;
  let rawStop: string | undefined;
  for (const line of lines) {
    const blocks = readContent(line);
    contents.push(blocks);
    for (const block of blocks) content.push(block);
    const wire = messageIn(line.record);
    // The first line has the model, the last one the final counts.
    if (model === undefined && isString(wire["model"])) model = wire["model"];
    if (isObject(wire["usage"])) counts = wire["usage"];
    if (isString(wire["stop_reason"])) rawStop = wire["stop_reason"];
  }
  const time = lines[0] === undefined ? undefined : timeOf(lines[0].record);
  const stop = rawStop === undefined ? undefined : readClaudeStop(rawStop);
  const synthesised: string[] = [];
  if (model === undefined) synthesised.push("/model");
  synthesised.push(counts === undefined ? "/usage" : "/usage/cost");
  if (stop === undefined) synthesised.push("/stopReason");
  if (time === undefined) synthesised.push("/timestamp");
  const message: AssistantMessage = {
    role: "assistant",
    content,
    api: API,
    provider: PROVIDER,
    model: model ?? "",
    usage: counts === undefined ? emptyUsage() : readUsage(counts),
    stopReason: stop ?? impliedStop(content),
    timestamp: time ?? 0,
  };
  const id = lines.at(-1)?.record["uuid"];
  if (isString(id)) message.id = id;
  if (parentId !== undefined) message.parentId = parentId;
  message.ext = { synthesised };
  if (last !== undefined) addNotes(message, notesOn(message, lines, contents, last));
  return message;
}

function messageIn({ message }: JsonRecord): JsonObject {
  return isObject(message) ? message : {};
}

function readContent({ record, index }: UnitLine): AssistantContent[] {
  const { content } = messageIn(record);
  if (typeof content === "string") return [{ type: "text", text: content }];
  // Not `map`: arrays of a conversion have one kind (decision 410).
  const blocks: AssistantContent[] = [];
  for (const block of blocksIn(content, `/${index}/message/content`)) blocks.push(readAnswerBlock(block));
  return blocks;
}

/** How the lines differ from those that we would write for the message. */
function notesOn(
  message: AssistantMessage,
  lines: readonly UnitLine[],
  contents: readonly AssistantContent[][],
  last: JsonRecord,
): JsonObject {
  const first = lines[0];
  if (first === undefined) return {};
  const frame = frameOf(message, last);
  const ids = lineIds(frame, lines.length);
  const { content: text } = messageIn(first.record);
  const isText = lines.length === 1 && isString(text);
  const ours = firstLine(message, isText ? text : writeContent(contents[0]), frame, ids);
  const notes = lineNotes(first.record, ours, message);
  if (isText) notes["string"] = true;
  const later: JsonObject[] = [];
  const counts = [contents[0]?.length ?? 0];
  const gaps: number[] = [];
  let before = first;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? first;
    later.push(
      differencesOf(line.record, nextLine(before.record, writeContent(contents[index]), ids[index])),
    );
    counts.push(contents[index]?.length ?? 0);
    gaps.push(line.index - before.index - 1);
    before = line;
  }
  if (!later.every(isEmpty)) notes["lines"] = later;
  // Without notes, an answer without blocks would be carried.
  const isEmptyLine = lines.length === 1 && counts[0] === 0 && !isEmpty(notes);
  const isUsual = isEmptyLine || counts.every((count) => count === 1);
  if (!isUsual) notes["counts"] = counts;
  if (gaps.some((gap) => gap > 0)) notes["gaps"] = gaps;
  return notes;
}

function writeContent(blocks: readonly AssistantContent[] = []): JsonObject[] {
  return writeBlocks(blocks, (block) => writeAnswerBlock(block, API));
}

function readUsage(usage: JsonObject): Usage {
  const input = tokens(usage["input_tokens"]);
  const output = tokens(usage["output_tokens"]);
  const cacheRead = tokens(usage["cache_read_input_tokens"]);
  const cacheWrite = tokens(usage["cache_creation_input_tokens"]);
  const totalTokens = input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, totalTokens, cost: emptyUsage().cost };
}

function tokens(count: unknown): number {
  return isNumber(count) ? count : 0;
}
