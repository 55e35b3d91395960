import type { JsonRecord } from "../../core/dialect.js";
import { type CallFrame, readFrame } from "../../core/message/call-frame.js";
import { isBroken } from "../../core/message/failure.js";
import type { AgentMessage, AssistantMessage, ToolCall, ToolResultMessage } from "../../core/types.js";
import { joinTexts, writeContent } from "./blocks.js";
import { isWireName, type WireAnswer, type WireCall, type WireMessage, type WireTool } from "./wire.js";

/** A conversation as one example, which ends with its last complete answer. None if it has no such answer. */
export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  const last = unit.findLastIndex(isExampleEnd);
  if (last < 0) return [];
  const messages = writeMessages(unit.slice(0, last + 1));
  return [{ messages, ...toolFields(frameOf(unit)) }];
}

function isExampleEnd(message: AgentMessage): boolean {
  if (message.role !== "assistant" || isBroken(message)) return false;
  return joinTexts(message.content) !== "" || message.content.some(isWritable);
}

type Block = AssistantMessage["content"][number];

function isWritable(block: Block): block is ToolCall {
  return block.type === "toolCall" && isWireName(block.name) && block.id !== "";
}

/** Messages that an example cannot contain are left out before calls are matched with the results after them. */
function writeMessages(unit: readonly AgentMessage[]): WireMessage[] {
  const kept = unit.filter(({ role }) => ["system", "user", "assistant", "toolResult"].includes(role));
  const written: WireMessage[] = [];
  for (const [index, message] of kept.entries()) {
    if (message.role === "system") {
      const content = joinTexts(message.content);
      if (content !== "") written.push({ role: "system", content });
    } else if (message.role === "user") {
      const content = writeContent(message.content);
      const { sender = "" } = message;
      const name = isWireName(sender) ? { name: sender } : {};
      if (content !== undefined) written.push({ role: "user", content, ...name });
    } else if (message.role === "assistant") {
      const isLast = index === kept.length - 1;
      for (const one of writeTurn(message, isLast ? undefined : resultsAfter(kept, index))) written.push(one);
    }
  }
  return written;
}

/** The results that directly follow an answer, by call id; of several results of one call, the first. */
function resultsAfter(messages: readonly AgentMessage[], index: number): Map<string, ToolResultMessage> {
  const results = new Map<string, ToolResultMessage>();
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role !== "toolResult") break;
    if (!results.has(message.toolCallId)) results.set(message.toolCallId, message);
  }
  return results;
}

/** An answer and its results. Each call needs a result, except in the answer that ends the example. */
function writeTurn(
  message: AssistantMessage,
  results?: ReadonlyMap<string, ToolResultMessage>,
): WireMessage[] {
  const calls = new Map<string, WireCall>();
  for (const block of message.content) {
    if (!isWritable(block) || calls.has(block.id)) continue;
    if (results !== undefined && !results.has(block.id)) continue;
    const values = JSON.stringify(block.arguments);
    calls.set(block.id, {
      id: block.id,
      type: "function",
      function: { name: block.name, arguments: values },
    });
  }
  const content = joinTexts(message.content);
  if (content === "" && calls.size === 0) return [];
  const answer: WireAnswer = {
    role: "assistant",
    ...(content === "" ? {} : { content }),
    ...(calls.size === 0 ? {} : { tool_calls: [...calls.values()] }),
    // The model must not learn to fail.
    ...(isBroken(message) ? { weight: 0 as const } : {}),
  };
  const answered = [...(results ?? [])].filter(([id]) => calls.has(id));
  return [
    answer,
    ...answered.map(
      ([id, result]): WireMessage => ({
        role: "tool",
        tool_call_id: id,
        content: joinTexts(result.content),
      }),
    ),
  ];
}

/** The fields of the request from which the conversation was read, whichever API it was. */
function frameOf([first]: readonly AgentMessage[]): CallFrame | undefined {
  if (first?.role !== "session") return undefined;
  return Object.values(first.ext ?? {})
    .map(readFrame)
    .find((frame) => frame?.tools !== undefined);
}

function toolFields(frame: CallFrame | undefined): { tools?: WireTool[]; parallel_tool_calls?: boolean } {
  const tools = (frame?.tools ?? [])
    .filter(({ name }) => isWireName(name))
    .map(({ name, description, parameters, strict }): WireTool => {
      const flag = strict === undefined ? {} : { strict };
      return { type: "function", function: { name, description, parameters, ...flag } };
    });
  if (tools.length === 0) return {};
  const parallel = frame?.options.parallelToolCalls;
  return { tools, ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }) };
}
