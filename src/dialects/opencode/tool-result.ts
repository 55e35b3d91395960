import { isEmpty, isNumber, isObject, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { SignatureReader } from "../../core/message/provider-metadata.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import type { ToolCall, ToolResultMessage, UserContent } from "../../core/types.js";
import { metadataFor, type Origin, opaque, readMedia, writeMedia } from "./blocks.js";
import { type PartFrame, wholeTime } from "./frame.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

/** The state of a call without a result, apart from its input. */
const PENDING = { status: "pending", raw: "" };

interface CallAndResult {
  call: ToolCall;
  result?: ToolResultMessage;
}

/** A tool part as a call and its result; undefined if it does not have the fields of a call. */
export function readToolPart(
  part: JsonObject,
  frame: PartFrame,
  origin: Origin,
  signatures: SignatureReader,
): CallAndResult | undefined {
  const { type, callID, tool, state, metadata } = part;
  if (type !== "tool" || !isString(callID) || !isString(tool) || !isObject(state)) return undefined;
  const { input, ...open } = state;
  if (!isObject(input)) return undefined;
  const signed = signatures.read(metadata, "toolCall");
  const call: ToolCall = {
    type: "toolCall",
    id: callID,
    name: tool,
    arguments: input,
    ...(signed && { thoughtSignature: signed.signature }),
  };
  const result = readState(state, call, frame);
  const kept = result === undefined && !sameJson(open, PENDING) ? { open } : {};
  // A repair may replace a result, which the notes must not undo.
  const notes = differencesOf(part, plainTool({ ...call, ...extWith(kept) }, result, frame, origin), true);
  return {
    call: { ...call, ...extWith({ ...kept, ...notes }) },
    ...(result === undefined ? {} : { result }),
  };
}

/** The result of a call that has ended. */
function readState(state: JsonObject, call: ToolCall, frame: PartFrame): ToolResultMessage | undefined {
  const { status, output, error, attachments, metadata, time } = state;
  const isError = status === "error";
  const text = isError ? error : output;
  if ((status !== "completed" && !isError) || !isString(text)) return undefined;
  const end = isObject(time) ? time["end"] : undefined;
  const files = !isError && Array.isArray(attachments) ? attachments.filter(isObject) : [];
  const content: UserContent[] = [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...files.map((file, index) => readMedia(file, attachmentFrame(frame, index)) ?? opaque(file)),
  ];
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content,
    ...(isObject(metadata) && !isEmpty(metadata) ? { details: metadata } : {}),
    isError,
    timestamp: isNumber(end) ? end : 0,
    ...extWith({}, isNumber(end) ? [] : ["/timestamp"]),
  };
}

function attachmentFrame(frame: PartFrame, index: number): PartFrame {
  return { ...frame, id: `${frame.id}_${String(index).padStart(3, "0")}` };
}

/** The part of a call and its result, if there is one. */
export function writeToolPart(
  call: ToolCall,
  result: ToolResultMessage | undefined,
  frame: PartFrame,
  origin: Origin,
): JsonObject {
  return restore(plainTool(call, result, frame, origin), notesOf(call));
}

function plainTool(
  call: ToolCall,
  result: ToolResultMessage | undefined,
  frame: PartFrame,
  origin: Origin,
): JsonObject {
  const { id: callID, name: tool, arguments: input } = call;
  const { open } = notesOf(call);
  const state =
    result === undefined
      ? { input, ...(isObject(open) ? open : PENDING) }
      : plainState(input, result, frame, origin);
  return { ...frame, type: "tool", callID, tool, state, ...metadataFor(call, origin.api) };
}

function plainState(
  input: JsonObject,
  result: ToolResultMessage,
  frame: PartFrame,
  { time: start }: Origin,
): JsonObject {
  const { content, details, isError } = result;
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const time = { start, end: isSynthesised(result, "/timestamp") ? start : wholeTime(result.timestamp) };
  const metadata = isObject(details) ? details : {};
  if (isError) {
    return { status: "error", input, error: text, ...(isEmpty(metadata) ? {} : { metadata }), time };
  }
  const attachments = attachmentsIn(content, frame);
  return {
    status: "completed",
    input,
    output: text,
    title: "",
    metadata,
    time,
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

function attachmentsIn(content: readonly UserContent[], frame: PartFrame): JsonObject[] {
  const files: JsonObject[] = [];
  for (const block of content) {
    const at = attachmentFrame(frame, files.length);
    if (block.type === "opaque") {
      if (block.dialect === NAME && isObject(block.value)) files.push(block.value);
    } else if (block.type !== "text") files.push(writeMedia(block, at));
  }
  return files;
}
