import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { impliedStop, undated } from "../../core/message/neutral.js";
import { stableDeviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  AssistantMessage,
  CompactionMessage,
  CustomMessage,
  SystemMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { type Origin, originIn, stopReasonIn, unknownOrigin } from "./attributes.js";
import { decodeAnswerPart, decodeUserPart, isResponse } from "./blocks.js";
import { contentOf, encodeFrame, encodeResponse, ownResponse, type Place } from "./encode-message.js";
import { addNotes } from "./notes.js";
import { plainRole, typeOfRole, UNKNOWN_REASON } from "./wire.js";

const UNKNOWN = { origin: unknownOrigin, finishReason: undefined };

export interface Context {
  at: string;
  /** The tools by the ids of their calls. */
  tools: Map<string, string>;
  /** What the span states. */
  origin: Origin;
  /** As far as the list shows: results can make several messages of one. */
  place: Place;
  /** Why the answer ended, if the message itself does not state it. */
  finishReason?: unknown;
}

/** The messages of one wire message: results are messages of their own. */
export function decodeMessage(wire: unknown, context: Context): AgentMessage[] {
  const { at } = context;
  if (!isObject(wire)) throw unexpected(at, "a message", wire);
  const { role, parts } = wire;
  if (!isString(role)) throw unexpected(`${at}/role`, "a role, a string", role);
  if (!Array.isArray(parts)) throw unexpected(`${at}/parts`, "an array of parts", parts);
  const finishReason = wire["finish_reason"] ?? context.finishReason;
  const origin = originIn(wire, context.origin);
  // What is known about the answer is stated once, on its first message.
  const messages =
    decodeCompaction(parts) ??
    segmentsOf(parts).map((segment, index) =>
      decodeSegment(
        segment,
        role,
        index === 0 ? { ...context, finishReason, origin } : { ...context, ...UNKNOWN },
      ),
    );
  const [first, ...others] = messages;
  if (first === undefined) return messages;
  if (isString(wire["name"])) first.sender = wire["name"];
  const place = context.place === "whole output" && others.length > 0 ? "output" : context.place;
  addNotes(first, stableDeviations(frameOf(wire, place), encodeFrame(first, place), { guarded: true }) ?? {});
  const lacksReason = place !== "input" && first.role === "assistant" && wire["finish_reason"] === undefined;
  if (lacksReason) addNotes(first, { noReason: true });
  for (const one of others) addNotes(one, { merged: true });
  return messages;
}

/** The wire message without its parts, and without a reason that only the schema requires. */
function frameOf({ parts: _, ...frame }: JsonObject, place: Place): JsonObject {
  const { finish_reason: reason, ...rest } = frame;
  return place !== "input" && reason === UNKNOWN_REASON ? rest : frame;
}

/** Each result separately, and the parts between results together. A message without parts has one empty segment. */
function segmentsOf(parts: readonly unknown[]): (JsonObject | unknown[])[] {
  const segments: (JsonObject | unknown[])[] = [];
  for (const part of parts) {
    const last = segments.at(-1);
    if (isResponse(part)) segments.push(part);
    else if (Array.isArray(last)) last.push(part);
    else segments.push([part]);
  }
  return segments.length === 0 ? [[]] : segments;
}

function decodeSegment(segment: JsonObject | unknown[], role: string, context: Context): AgentMessage {
  if (!Array.isArray(segment)) return decodeResponse(segment, context);
  switch (plainRole(role)) {
    case "assistant":
      return decodeAnswer(segment, context);
    case "user":
      return { role: "user", content: textOrBlocks(segment), ...undated() } satisfies UserMessage;
    case "system":
      return decodeSystem(segment);
    default:
      return {
        role: "custom",
        customType: typeOfRole(role),
        content: textOrBlocks(segment),
        ...undated(),
      } satisfies CustomMessage;
  }
}

export function decodeSystem(parts: readonly unknown[]): SystemMessage {
  return { role: "system", content: textOrBlocks(parts), ...undated() };
}

/** A text alone is a string. */
function textOrBlocks(parts: readonly unknown[]): string | UserContent[] {
  const blocks = parts.map(decodeUserPart);
  const [block, ...others] = blocks;
  const isPlain = block?.type === "text" && Object.keys(block).length === 2;
  return isPlain && others.length === 0 ? block.text : blocks;
}

function decodeCompaction(parts: readonly unknown[]): CompactionMessage[] | undefined {
  const [part, ...others] = parts;
  if (!isObject(part) || part["type"] !== "compaction" || others.length > 0) return undefined;
  const { content: summary } = part;
  if (!isString(summary)) return undefined;
  const message: CompactionMessage = { role: "compaction", summary, ...undated() };
  addNotes(message, { response: stableDeviations(part, { type: "compaction", content: summary }) });
  return [message];
}

function decodeAnswer(parts: readonly unknown[], context: Context): AssistantMessage {
  const content = parts.map(decodeAnswerPart);
  const { provider, model, usage, synthesised } = context.origin;
  const stop = stopReasonIn(context.finishReason);
  const replaced: string[] = [];
  for (const [index, block] of content.entries()) {
    if (block.type !== "toolCall") continue;
    const part = parts[index];
    if (block.id !== "") context.tools.set(block.id, block.name);
    const args = isObject(part) ? part["arguments"] : undefined;
    if (!isObject(args) && !isString(args)) replaced.push(`/content/${index}/arguments`);
  }
  return {
    role: "assistant",
    content,
    api: "",
    provider: provider ?? "",
    model: model ?? "",
    usage: structuredClone(usage),
    stopReason: stop ?? impliedStop(content),
    timestamp: 0,
    ext: {
      synthesised: [
        "/api",
        ...(provider === undefined ? ["/provider"] : []),
        ...(model === undefined ? ["/model"] : []),
        ...synthesised,
        ...(stop === undefined ? ["/stopReason"] : []),
        "/timestamp",
        ...replaced,
      ],
    },
  };
}

function decodeResponse(part: JsonObject, { tools }: Context): ToolResultMessage {
  const { id, response, is_error: failed } = part;
  const toolCallId = isString(id) ? id : "";
  const tool = tools.get(toolCallId);
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId,
    toolName: tool ?? "",
    content: responseBlocks(response),
    isError: failed === true,
    timestamp: 0,
    ext: { synthesised: [...(tool === undefined ? ["/toolName"] : []), "/timestamp"] },
  };
  const isList = Array.isArray(response) && isPartList(response);
  if (isList && !Array.isArray(contentOf(message.content))) addNotes(message, { form: "parts" });
  else if (response !== undefined && !isList && !isString(response)) addNotes(message, { form: "json" });
  const { response: _, ...rest } = part;
  const written = response === undefined ? rest : { ...rest, response: encodeResponse(message) };
  addNotes(message, { response: stableDeviations(written, ownResponse(message), { guarded: true }) });
  return message;
}

/** Any JSON value that is not a text or a list of parts is shown to the model as JSON. */
function responseBlocks(response: unknown): UserContent[] {
  if (response === undefined) return [];
  if (isString(response)) return [{ type: "text", text: response }];
  if (Array.isArray(response) && isPartList(response)) return response.map(decodeUserPart);
  return [{ type: "text", text: JSON.stringify(response) }];
}

function isPartList(list: readonly unknown[]): boolean {
  return list.every((part) => decodeUserPart(part).type !== "opaque");
}
