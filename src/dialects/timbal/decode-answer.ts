import { DragomanError } from "../../core/error.js";
import { IncrementalJson } from "../../core/json/incremental.js";
import { isObject } from "../../core/json/value.js";
import { neutralOrigin } from "../../core/message/neutral.js";
import type { FieldReader } from "../../core/records/field-reader.js";
import type { AssistantContent, AssistantMessage, ToolCall } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { envelope, fieldsOf, notesOfFrame } from "./decode-envelope.js";
import { extWith, isForeign, type Notes, othersIn } from "./notes.js";
import { BLOCK_TYPE, blockId, EMPTY_TYPE, invalid, type WireRecord } from "./wire.js";

/** The fields of an answer that Timbal does not record. */
const UNSAID = ["/api", "/provider", "/model", "/usage", "/stopReason"];

/** The assistant message that consists of these records. */
export function decodeAnswer(first: WireRecord, more: readonly WireRecord[]): AssistantMessage {
  const synthesised = [...UNSAID];
  const content: AssistantContent[] = [];
  let notes: Notes = {};
  if (first.type === EMPTY_TYPE) notes = { ...notesOfFrame(first), ...fieldsOf(first).notes() };
  else {
    let previous: WireRecord | undefined;
    for (const record of [first, ...more]) {
      const fields = fieldsOf(record);
      const block = decodeBlock(record, fields, `/content/${content.length}`);
      const own = { ...notesOfBlock(record, previous, first), ...fields.notes() };
      content.push({ ...block, ...extWith(own, [], othersIn(block.ext)) });
      synthesised.push(...fields.synthesised);
      previous = record;
    }
  }
  return {
    role: "assistant",
    content,
    ...neutralOrigin(content),
    ...envelope(first, { notes, synthesised }),
  };
}

/** Where a block's id or time differs from what the records before it imply. */
function notesOfBlock(record: WireRecord, previous: WireRecord | undefined, first: WireRecord): Notes {
  const notes = notesOfFrame(record);
  if (previous !== undefined && record.i !== blockId(previous, record)) notes.i = record.i;
  if (record.t === undefined && first.t !== undefined) notes.untimed = true;
  else if (record.t !== first.t) notes.t = record.t;
  return notes;
}

function decodeBlock({ type, at }: WireRecord, fields: FieldReader, pointer: string): AssistantContent {
  switch (type) {
    case "thinking":
      return { type: "thinking", thinking: fields.text("content", `${pointer}/thinking`) };
    case "tool_call":
      return decodeCall(fields, at, pointer);
    case BLOCK_TYPE: {
      const block = fields.peek("block");
      if (!is("AssistantContent", block) || hasOwnType(block)) {
        throw invalid("a block that Timbal has no type for", block, `${at}/v/block`);
      }
      if (block.ext === undefined || isForeign(block.ext)) fields.drop("block");
      return block;
    }
    default:
      return { type: "text", text: fields.text("content", `${pointer}/text`) };
  }
}

function hasOwnType({ type }: AssistantContent): boolean {
  return type === "text" || type === "thinking" || type === "toolCall";
}

function decodeCall(fields: FieldReader, at: string, pointer: string): ToolCall {
  const id = fields.text("toolCallId", `${pointer}/id`);
  const name = fields.text("name", `${pointer}/name`);
  const given = fields.peek("arguments");
  if (isObject(given)) {
    fields.drop("arguments");
    return { type: "toolCall", id, name, arguments: given };
  }
  if (given === undefined) fields.missing("arguments", {}, `${pointer}/arguments`);
  // An incomplete call has the text of its arguments so far in `content`; some senders write it as `arguments`.
  const text = given ?? fields.peek("content");
  if (typeof text === "string") return { type: "toolCall", id, name, ...readArguments(text) };
  if (given === undefined) return { type: "toolCall", id, name, arguments: {} };
  throw invalid("an object", given, `${at}/v/arguments`);
}

function readArguments(text: string): Pick<ToolCall, "arguments" | "argumentsError"> {
  const json = new IncrementalJson();
  json.push(text);
  try {
    const whole = json.finish();
    if (isObject(whole)) return { arguments: whole };
    return { arguments: {}, argumentsError: "the arguments are not an object" };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return { arguments: isObject(json.value) ? json.value : {}, argumentsError: error.message };
  }
}
