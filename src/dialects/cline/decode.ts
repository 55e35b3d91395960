import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isEmpty, isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { isAbsent } from "../../core/records/deviation.js";
import { FieldReader } from "../../core/records/field-reader.js";
import type { AssistantContent, AssistantMessage, UserMessage } from "../../core/types.js";
import { decodeAssistantBlock, decodeUserBlock } from "./blocks.js";
import { decodeHeader } from "./header.js";
import { decodeMetrics } from "./metrics.js";
import { extWith, notesOf } from "./notes.js";
import { decodeResult, type ToolNames } from "./tool-result.js";
import { interruption, isHeader, isLastAnswer, isToolResult, joins } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  const names: ToolNames = new Map();
  return unit.flatMap((record, index) => {
    if (isHeader(record)) return decodeHeader(record, index);
    const before = unit[index - 1];
    if (before === undefined || !joins(before, record)) names.clear();
    switch (record["role"]) {
      case "user":
        return decodeUser(record, index, names, before);
      case "assistant":
        return [{ message: decodeAssistant(record, index, names, isLastAnswer(unit, index)), record: index }];
      default:
        throw new DragomanError("model/invalid", 'expected a message of the role "user" or "assistant"', {
          at: `/${index}/role`,
        });
    }
  });
}

/** A record's fields besides its content, for the first message decoded from it. */
function decodeFrame({ role: _, content: __, id, ts, ...fields }: JsonRecord) {
  const timed = isNumber(ts);
  if (id !== undefined && typeof id !== "string") fields["id"] = id;
  if (ts !== undefined && !timed) fields["ts"] = ts;
  return {
    ...(typeof id === "string" ? { id } : {}),
    timestamp: timed ? ts : 0,
    timed,
    absent: typeof id === "string" ? [] : ["id"],
    synthesised: timed ? [] : ["/timestamp"],
    fields,
  };
}

function decodeUser(record: JsonRecord, index: number, names: ToolNames, before?: JsonRecord): Decoded[] {
  const { timed, absent, synthesised, fields, timestamp, ...id } = decodeFrame(record);
  const frame: JsonObject = { ...(timed ? { timed } : {}), absent, fields };
  const { content } = record;
  if (typeof content === "string") {
    const ext = extWith({ string: true, ...frame }, synthesised);
    return [{ message: { role: "user", ...id, content, timestamp, ...ext }, record: index }];
  }
  const blocks = blocksOf(content, index).map((block, at) => ({ block, at }));
  const results = blocks.flatMap(({ block, at }) => (isToolResult(block) ? [{ block, at }] : []));
  const others = blocks.filter(({ block }) => !isToolResult(block));
  const decoded: Decoded[] = results.map(({ block, at }, place) => {
    const first = place === 0;
    const notes = first ? { ...(endsWithResult(before) ? { apart: true } : {}), ...frame } : {};
    const own = { ...(first ? id : {}), notes, synthesised, timestamp };
    return { message: decodeResult(block, `/${index}/content/${at}`, names, own), record: index };
  });
  if (results.length > 0 && others.length === 0) return decoded;
  const places = others.map(({ at }) => at);
  const inOrder = places.every((at, place) => at === results.length + place);
  const message: UserMessage = {
    role: "user",
    ...(results.length === 0 ? id : {}),
    content: others.map(({ block, at }) => decodeUserBlock(block, `/${index}/content/${at}`)),
    timestamp,
    ...extWith(results.length === 0 ? frame : { merged: true, ...(inOrder ? {} : { places }) }, synthesised),
  };
  return [...decoded, { message, record: index }];
}

/** Whether `encode` would write the next record's results into this record. */
function endsWithResult(record: JsonRecord | undefined): boolean {
  const { role, content } = record ?? {};
  return role === "user" && Array.isArray(content) && content.length > 0 && content.every(isToolResult);
}

function decodeAssistant(
  record: JsonRecord,
  index: number,
  names: ToolNames,
  last: boolean,
): AssistantMessage {
  const { timed: _, absent, synthesised, fields: rest, timestamp, ...id } = decodeFrame(record);
  const { modelInfo, metrics, interrupted, ...fields } = rest;
  if (modelInfo !== undefined && !isObject(modelInfo)) fields["modelInfo"] = modelInfo;
  if (metrics !== undefined && !isObject(metrics)) fields["metrics"] = metrics;
  const string = typeof record["content"] === "string";
  const content = (
    string ? [{ type: "text", text: record["content"] }] : blocksOf(record["content"], index)
  ).map((block, at) => decodeAssistantBlock(block, `/${index}/content/${at}`));
  for (const block of content) if (block.type === "toolCall") names.set(block.id, block.name);
  // We write no message for an answer that was interrupted before any output.
  const stopReason = content.length === 0 ? undefined : interruption(interrupted);
  if (interrupted !== undefined && stopReason === undefined) fields["interrupted"] = interrupted;
  const model = decodeModelInfo(modelInfo);
  const { usage, synthesised: unknownUsage, absent: missing, notes } = decodeMetrics(metrics);
  return {
    role: "assistant",
    ...id,
    content,
    api: "",
    provider: model.provider ?? "",
    model: model.id ?? "",
    usage,
    stopReason: stopReason ?? impliedStop(content),
    timestamp,
    ...extWith(
      {
        ...(string ? { string } : {}),
        ...(isObject(metrics) && !last ? { closes: true } : {}),
        ...model.notes,
        ...notes,
        absent: [...absent, ...missing],
        fields,
      },
      [
        "/api",
        ...(model.provider === undefined ? ["/provider"] : []),
        ...(model.id === undefined ? ["/model"] : []),
        ...unknownUsage,
        ...(stopReason === undefined ? ["/stopReason"] : []),
        ...synthesised,
        ...content.flatMap(unknownArguments),
      ],
    ),
  };
}

function unknownArguments(block: AssistantContent, index: number): string[] {
  const notes = notesOf(block);
  const replaced = block.type === "toolCall" && (Object.hasOwn(notes, "input") || isAbsent(notes, "input"));
  return replaced ? [`/content/${index}/arguments`] : [];
}

function decodeModelInfo(modelInfo: unknown): { id?: string; provider?: string; notes: JsonObject } {
  if (!isObject(modelInfo)) return { notes: {} };
  const fields = new FieldReader(modelInfo);
  const model = { ...fields.optional("id", isString), ...fields.optional("provider", isString) };
  const family = fields.optional("family", isString);
  const isUnknown = isEmpty(model) && isEmpty(family);
  const { rest } = fields;
  return { ...model, notes: { ...family, ...(isUnknown || !isEmpty(rest) ? { modelInfo: rest } : {}) } };
}

function blocksOf(content: unknown, index: number): unknown[] {
  if (Array.isArray(content)) return content;
  throw new DragomanError("model/invalid", "expected content: an array of blocks", {
    at: `/${index}/content`,
  });
}
