import { readClaudeStop } from "../../core/api/claude-stop-reason.js";
import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import { differencesOf } from "../../core/records/differences.js";
import type { AssistantContent, AssistantMessage, Usage } from "../../core/types.js";
import { blocksIn, readAnswerBlock, writeAnswerBlock, writeBlocks } from "./blocks.js";
import { firstLine, lineIds, nextLine } from "./encode-answer.js";
import { frameOf, timeOf } from "./frame.js";
import { addNotes, lineNotes, parentNote } from "./notes.js";
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
  const contents = lines.map(readContent);
  const content = contents.flat();
  const wires = lines.map(({ record }) => messageIn(record));
  const [first] = lines;
  const id = lines.at(-1)?.record["uuid"];
  const time = first === undefined ? undefined : timeOf(first.record);
  const model = wires.map(({ model }) => model).find((name) => typeof name === "string");
  const usage = readUsage(wires.findLast((wire) => isObject(wire["usage"]))?.["usage"]);
  const raw = wires.findLast((wire) => typeof wire["stop_reason"] === "string")?.["stop_reason"];
  const stop = raw === undefined ? undefined : readClaudeStop(raw);
  const message: AssistantMessage = {
    role: "assistant",
    content,
    api: API,
    provider: PROVIDER,
    model: typeof model === "string" ? model : "",
    usage: usage ?? emptyUsage(),
    stopReason: stop ?? impliedStop(content),
    timestamp: time ?? 0,
  };
  if (typeof id === "string") message.id = id;
  if (parentId !== undefined) message.parentId = parentId;
  const synthesised = [
    ...(typeof model === "string" ? [] : ["/model"]),
    usage === undefined ? "/usage" : "/usage/cost",
    ...(stop === undefined ? ["/stopReason"] : []),
    ...(time === undefined ? ["/timestamp"] : []),
  ];
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
  return blocksIn(content, `/${index}/message/content`).map(readAnswerBlock);
}

/** How the lines differ from those that we would write for the message. */
function notesOn(
  message: AssistantMessage,
  lines: readonly UnitLine[],
  contents: readonly AssistantContent[][],
  last: JsonRecord,
): JsonObject {
  const frame = frameOf(message, last);
  const ids = lineIds(frame, lines.length);
  const written = contents.map((blocks) => writeBlocks(blocks, (block) => writeAnswerBlock(block, API)));
  const [first, ...others] = lines.map(({ record }) => record);
  if (first === undefined) return {};
  const isText = others.length === 0 && typeof messageIn(first)["content"] === "string";
  const ours = firstLine(message, isText ? messageIn(first)["content"] : written[0], frame, ids);
  const later = others.map((record, index) => {
    const before = lines[index]?.record ?? {};
    const ours = nextLine(before, written[index + 1], ids[index + 1]);
    return differencesOf(record, ours);
  });
  const counts = contents.map(({ length }) => length);
  const gaps = lines.slice(1).map(({ index }, at) => index - (lines[at]?.index ?? 0) - 1);
  return {
    ...lineNotes(first, ours),
    ...parentNote(first, ours, message),
    ...(isText ? { string: true } : {}),
    ...(later.every(isEmpty) ? {} : { lines: later }),
    ...(counts.every((count) => count === 1) || (others.length === 0 && counts[0] === 0) ? {} : { counts }),
    ...(gaps.some((gap) => gap > 0) ? { gaps } : {}),
  };
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
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
