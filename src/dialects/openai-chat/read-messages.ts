import { isObject, type JsonObject } from "../../core/json/value.js";
import { unattributedAnswer, undated } from "../../core/message/neutral.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  AssistantContent,
  TextContent,
  ToolResultMessage,
  UserContent,
} from "../../core/types.js";
import { readCall } from "./calls.js";
import { writeMessage } from "./messages.js";
import { deviation, withNotes } from "./notes.js";
import { readPart } from "./parts.js";
import { readThinking, readThinkingPart } from "./thinking.js";
import { NAME } from "./wire.js";

/** The names of the tools called so far, by call id. */
export type CalledNames = Map<string, string>;

/** One message of a request. Differences from the form that we write are kept in its notes. */
export function readMessage(wire: unknown, at: string, called: CalledNames): AgentMessage {
  if (!isObject(wire)) throw unexpected(at, "a message", wire);
  const message = readPlain(wire, at, called);
  const written = writeMessage(message, {
    model: "",
    flags: {},
    offers: () => false,
    report: () => undefined,
  });
  return written === undefined ? message : withNotes(message, deviation(wire, written));
}

function readPlain(wire: JsonObject, at: string, called: CalledNames): AgentMessage {
  const { role } = wire;
  switch (role) {
    case "user":
    case "system":
    case "developer":
      return readGiven(role === "user" ? "user" : "system", wire, at);
    case "assistant":
      return readAnswer(wire, at, called);
    case "tool":
    case "function":
      return readResult(wire, at, called);
    default:
      if (typeof role !== "string") throw unexpected(`${at}/role`, "a role", role);
      return { role: "custom", customType: NAME, data: wire, ...undated() };
  }
}

function readGiven(role: "user" | "system", wire: JsonObject, at: string): AgentMessage {
  const { content, name } = wire;
  const sent = { ...undated(), ...(typeof name === "string" ? { sender: name } : {}) };
  if (typeof content === "string") return { role, content, ...sent };
  const blocks = readParts(content, at);
  const isOneText = blocks.length === 1 && blocks[0]?.type === "text";
  return withNotes({ role, content: blocks, ...sent }, isOneText ? { content: "parts" } : {});
}

function readParts(content: unknown, at: string): UserContent[] {
  if (content === null || content === undefined) return [];
  return partsOf(content, at).map(readPart);
}

function partsOf(content: unknown, at: string): JsonObject[] {
  if (!Array.isArray(content)) throw unexpected(`${at}/content`, "a text or a list of parts", content);
  return content.map((part: unknown, index) => {
    if (isObject(part)) return part;
    throw unexpected(`${at}/content/${index}`, "a part", part);
  });
}

function readAnswer(wire: JsonObject, at: string, called: CalledNames): AgentMessage {
  const { content, name, refusal } = wire;
  const calls = callsOf(wire, at).map(readCall);
  for (const call of calls) {
    const [id, toolName] = call.type === "toolCall" ? [call.id, call.name] : nameOfOther(call.value);
    called.set(id, toolName);
  }
  const blocks: AssistantContent[] = [
    ...readThinking(wire),
    ...readAnswerContent(content, at),
    ...(typeof refusal === "string" && refusal !== "" ? [refusalBlock(refusal)] : []),
    ...calls,
  ];
  const answer = unattributedAnswer(blocks);
  const named = typeof name === "string" ? { ...answer, sender: name } : answer;
  return withNotes(named, Array.isArray(content) ? { content: "parts" } : {});
}

export function refusalBlock(text: string): TextContent {
  return withNotes<TextContent>({ type: "text", text }, { refusal: true });
}

function readAnswerContent(content: unknown, at: string): AssistantContent[] {
  if (content === null || content === undefined || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return partsOf(content, at).map(readAnswerPart);
}

/** A part of an answer's content, in a request or in a stream. */
export function readAnswerPart(part: JsonObject): AssistantContent {
  const thinking = readThinkingPart(part);
  if (thinking !== undefined) return thinking;
  const { type, refusal, ...rest } = part;
  if (type === "refusal" && typeof refusal === "string") {
    return withNotes(refusalBlock(refusal), deviation(rest, {}));
  }
  return readPart(part);
}

/** The calls of a message. `function_call` is the deprecated field for a single call. */
function callsOf({ tool_calls, function_call }: JsonObject, at: string): JsonObject[] {
  if (isObject(function_call)) return [{ function: function_call }];
  if (tool_calls === undefined || tool_calls === null) return [];
  if (!Array.isArray(tool_calls)) throw unexpected(`${at}/tool_calls`, "a list of calls", tool_calls);
  return tool_calls.map((call: unknown, index) => {
    if (isObject(call)) return call;
    throw unexpected(`${at}/tool_calls/${index}`, "a call", call);
  });
}

function nameOfOther(value: unknown): [string, string] {
  const { id, custom } = isObject(value) ? value : {};
  const name = isObject(custom) ? custom["name"] : undefined;
  return [typeof id === "string" ? id : "", typeof name === "string" ? name : ""];
}

function readOutput(content: unknown, at: string): UserContent[] {
  if (content === "") return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : readParts(content, at);
}

function readResult(wire: JsonObject, at: string, called: CalledNames): ToolResultMessage {
  const { role, content, tool_call_id, name } = wire;
  const toolCallId = role === "function" && tool_call_id === undefined ? "" : tool_call_id;
  if (typeof toolCallId !== "string") throw unexpected(`${at}/tool_call_id`, "the id of a call", toolCallId);
  const toolName = called.get(toolCallId) ?? (typeof name === "string" ? name : undefined);
  return withNotes(
    {
      role: "toolResult",
      toolCallId,
      toolName: toolName ?? "",
      content: readOutput(content, at),
      isError: false,
      timestamp: 0,
      ext: { synthesised: [...(toolName === undefined ? ["/toolName"] : []), "/isError", "/timestamp"] },
    },
    Array.isArray(content) ? { content: "parts" } : {},
  );
}
