import { isEmpty, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type {
  AgentMessage,
  AssistantMessage,
  CompactionMessage,
  CustomMessage,
  SystemMessage,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { encodeContent, isContent } from "./blocks.js";
import { encodeMetrics } from "./metrics.js";
import { notesOf } from "./notes.js";
import { RESULT_TIMES, type Source } from "./wire.js";

/** What a step's record has beside its calls and results, without what was noted. Empty if there is no step for it. */
export function encodeHead(message: AgentMessage): JsonObject {
  switch (message.role) {
    case "user":
      return frame(message, "user", contentOf(message));
    case "system":
      return frame(message, "system", contentOf(message));
    case "assistant":
      return encodeAnswer(message);
    case "compaction":
      return encodeCompaction(message);
    case "toolResult":
      return { ...frame(message, "system", ""), extra: callOf(message) };
    case "custom":
      return frame(message, "system", "");
    default:
      return {};
  }
}

function frame(
  message: Extract<AgentMessage, { timestamp: number }>,
  source: Source,
  content: string | unknown[],
): JsonObject {
  return { ...timeOf(message), source, message: content };
}

function timeOf(message: AgentMessage & { timestamp: number }): { timestamp?: string } {
  const timestamp = isSynthesised(message, "/timestamp") ? undefined : isoOf(message.timestamp);
  return timestamp === undefined ? {} : { timestamp };
}

/** Undefined if it is not a date. */
export function isoOf(time: number): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The times of a step's results in `extra`; nothing if none is known. The first result's may be the step's. */
export function timesOf(
  results: readonly (ToolResultMessage | CustomMessage)[],
  head: AgentMessage,
): JsonObject {
  const times = results.map((result) => (result === head ? null : (timeOf(result).timestamp ?? null)));
  return times.every((time) => time === null) ? {} : { [RESULT_TIMES]: times };
}

function contentOf(message: UserMessage | SystemMessage): string | unknown[] {
  const { content } = message;
  return typeof content === "string" ? content : encodeContent(content, isListed(message));
}

function isListed(message: AgentMessage): boolean {
  return notesOf(message)["parts"] === true;
}

function encodeAnswer(message: AssistantMessage): JsonObject {
  const thinking = message.content.flatMap((block) =>
    block.type === "thinking" && block.thinking !== "" ? [block.thinking] : [],
  );
  const metrics = encodeMetrics(message);
  return {
    ...frame(message, "agent", encodeContent(message.content.filter(isContent), isListed(message))),
    ...(isSynthesised(message, "/model") ? {} : { model_name: message.model }),
    ...(thinking.length === 0 ? {} : { reasoning_content: thinking.join("\n\n") }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

export function encodeCall({ id, name, arguments: args }: ToolCall): JsonObject {
  return { tool_call_id: id, function_name: name, arguments: args };
}

function encodeCompaction(message: CompactionMessage): JsonObject {
  return {
    ...frame(message, "system", ""),
    observation: { results: [{ content: message.summary }] },
    extra: { context_management: { type: "compaction", boundary: "replace" } },
  };
}

/** The call of a result that is not in the step of its call. */
function callOf({ toolCallId, toolName, ...rest }: ToolResultMessage): JsonObject {
  return {
    tool_call_id: toolCallId,
    ...(isSynthesised(rest, "/toolName") ? {} : { function_name: toolName }),
  };
}

/** The entry of an observation, without what was noted. */
export function encodeResult(message: ToolResultMessage | CustomMessage): JsonObject {
  const own = encodeLoneResult(message);
  return message.role === "toolResult" ? { source_call_id: message.toolCallId, ...own } : own;
}

/** The same in a step of its own: a result may only name a call of its step. */
export function encodeLoneResult(message: ToolResultMessage | CustomMessage): JsonObject {
  const extra = message.role === "toolResult" && message.isError ? { is_error: true } : {};
  return { ...resultContent(message), ...(isEmpty(extra) ? {} : { extra }) };
}

function resultContent(message: ToolResultMessage | CustomMessage): { content?: string | unknown[] } {
  const { content } = message;
  if (typeof content === "string") return { content };
  if (content === undefined) return {};
  const blocks: UserContent[] = content;
  const isNothing = message.role === "toolResult" && blocks.length === 0 && !isListed(message);
  return isNothing ? {} : { content: encodeContent(blocks, isListed(message)) };
}
