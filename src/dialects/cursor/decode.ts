import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { hashOfJson } from "../../core/message/derived-id.js";
import { unattributedAnswer, undated } from "../../core/message/neutral.js";
import { differencesOf } from "../../core/records/differences.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AgentMessage, AssistantContent, UserContent } from "../../core/types.js";
import { readAnswerBlock, readUserBlock, unwrap } from "./blocks.js";
import { extWith } from "./notes.js";
import { isMessage, NAME } from "./wire.js";

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  return unit.map((record, index) => ({
    message: readLine(record, unit[index - 1] ?? last, `/${index}`),
    record: index,
  }));
}

function readLine(record: JsonRecord, last: JsonRecord | undefined, at: string): AgentMessage {
  if (isMessage(record))
    return record["role"] === "user" ? readUser(record, at) : readAnswer(record, last, at);
  const { type, ...data } = record;
  if (!isString(type) || type === "")
    throw unexpected(at, "a line with a role and a message, or with a type", record);
  const fields = isEmpty(data) ? {} : { data };
  return { role: "custom", customType: `${NAME}/${type}`, ...fields, ...undated() };
}

function readUser(record: JsonRecord, at: string): AgentMessage {
  const { timestamp, ext } = undated();
  const content = contentOf(record, at);
  const notes = lineNotes(record);
  if (isString(content)) {
    const { text, ...wrap } = unwrap(content);
    return { role: "user", content: text, timestamp, ...extWith({ ...wrap, ...notes }, ext.synthesised) };
  }
  const blocks: UserContent[] = content.map(readUserBlock);
  return { role: "user", content: blocks, timestamp, ...extWith(notes, ext.synthesised) };
}

function readAnswer(record: JsonRecord, last: JsonRecord | undefined, at: string): AgentMessage {
  const content = contentOf(record, at);
  const seed = hashOfJson([last, record]);
  const blocks: AssistantContent[] = isString(content)
    ? [{ type: "text", text: content }]
    : content.map((block, index) => readAnswerBlock(block, `call_${seed}_${index}`));
  const synthesised = blocks.flatMap((block, index) =>
    block.type === "toolCall" && block.id.startsWith(`call_${seed}`) ? [`/content/${index}/id`] : [],
  );
  const message = unattributedAnswer(blocks, synthesised);
  const notes = { ...lineNotes(record), ...(isString(content) ? { string: true } : {}) };
  return { ...message, ...extWith(notes, [], message.ext) };
}

function contentOf({ message }: JsonRecord, at: string): string | unknown[] {
  const content = isObject(message) ? message["content"] : undefined;
  if (isString(content) || Array.isArray(content)) return content;
  throw unexpected(`${at}/message/content`, "text or a list of blocks", content);
}

/** How the line differs from ours, apart from its content. */
function lineNotes(record: JsonRecord): object {
  const { role, message } = record;
  const inner: JsonObject = isObject(message) ? message : {};
  return differencesOf(record, { role, message: { content: inner["content"] } });
}
