import type { AgentMessage, AssistantMessage, ToolResultMessage, UserMessage } from "dragoman";
import { transcript } from "./transcript.js";

/** For each prompt. Tool results are then about two thirds of a file, as in recorded sessions. */
const CALLS = 5;
const SESSION = "c0000000-0000-4000-8000-000000000000";
const CWD = "/home/user/project";
const START = "2025-01-06T09:00:00.000Z";

/** An endless Qwen Code session: a chain of lines with Google's parts. */
export function* qwenCodeLines(): Generator<object> {
  let parentUuid: string | null = null;
  let count = 0;
  for (const message of transcript(CALLS)) {
    const uuid = idOf(count++);
    const frame = { uuid, parentUuid, sessionId: SESSION, timestamp: timeOf(message) };
    const program = { cwd: CWD, version: "0.15.10", gitBranch: "main" };
    parentUuid = uuid;
    if (message.role === "user") {
      yield {
        ...frame,
        type: "user",
        ...program,
        message: { role: "user", parts: [{ text: textOf(message) }] },
      };
    } else if (message.role === "assistant") {
      const parts = message.content.map(googlePart);
      const answer = { model: "qwen3-coder", message: { role: "model", parts } };
      yield { ...frame, type: "assistant", ...program, ...answer, usageMetadata: googleUsage(message) };
    } else if (message.role === "toolResult") {
      const toolCallResult = {
        callId: message.toolCallId,
        status: "success",
        resultDisplay: textOf(message),
      };
      const parts = [googleResult(message)];
      yield { ...frame, type: "tool_result", ...program, message: { role: "user", parts }, toolCallResult };
    }
  }
}

/** An endless Gemini CLI session: a call has its result in the same line, and each line is followed by the time of its change. */
export function* geminiCliLines(): Generator<object> {
  yield { sessionId: SESSION, projectHash: "4be1c0ffee", startTime: START, lastUpdated: START, kind: "main" };
  let count = 0;
  let calling: AssistantMessage | undefined;
  for (const message of transcript(CALLS)) {
    const frame = { id: idOf(count++), timestamp: timeOf(message) };
    if (message.role === "user") {
      yield { ...frame, type: "user", content: [{ text: textOf(message) }] };
    } else if (message.role === "assistant" && message.stopReason === "stop") {
      yield { ...frame, type: "gemini", content: textOf(message), thoughts: [], ...geminiFields(message) };
    } else if (message.role === "assistant") {
      calling = message;
      continue;
    } else if (message.role === "toolResult" && calling !== undefined) {
      const toolCalls = calling.content.flatMap((block) =>
        block.type === "toolCall" ? [geminiCall(block, message)] : [],
      );
      const thoughts = calling.content.flatMap((block) =>
        block.type === "thinking"
          ? [{ subject: "Module", description: block.thinking, timestamp: frame.timestamp }]
          : [],
      );
      const fields = { content: textOf(calling), toolCalls, thoughts, ...geminiFields(calling) };
      yield { ...frame, type: "gemini", ...fields };
    }
    yield { $set: { lastUpdated: frame.timestamp } };
  }
}

function geminiFields({ usage }: AssistantMessage): object {
  const { input, output, cacheRead, totalTokens } = usage;
  return {
    tokens: { input, output, cached: cacheRead, thoughts: 5, tool: 0, total: totalTokens },
    model: "gemini-2.5-flash",
  };
}

function geminiCall(
  { id, name, arguments: args }: { id: string; name: string; arguments: object },
  result: ToolResultMessage,
): object {
  const timestamp = timeOf(result);
  return { id, name, args, result: [googleResult(result)], status: "success", timestamp };
}

/** An endless Copilot CLI session: a chain of events. */
export function* copilotCliLines(): Generator<object> {
  let parentId: string | null = null;
  let count = 0;
  const event = (type: string, timestamp: string, data: object) => {
    const id = idOf(count++);
    const line = { type, data, id, timestamp, parentId };
    parentId = id;
    return line;
  };
  const about = { version: 1, producer: "copilot-agent", copilotVersion: "1.0.11", startTime: START };
  yield event("session.start", START, { sessionId: SESSION, ...about, context: { cwd: CWD } });
  for (const message of transcript(CALLS)) {
    const time = timeOf(message);
    if (message.role === "user") {
      const content = textOf(message);
      yield event("user.message", time, { content, transformedContent: content, attachments: [] });
    } else if (message.role === "assistant") {
      const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
      const toolRequests = calls.map(({ id, name, arguments: args }) => ({
        toolCallId: id,
        name,
        arguments: args,
        type: "function",
      }));
      const thinking = message.content.flatMap((block) =>
        block.type === "thinking" ? [block.thinking] : [],
      );
      yield event("assistant.message", time, {
        messageId: `m${message.timestamp}`,
        content: textOf(message),
        toolRequests,
        outputTokens: message.usage.output,
        ...(thinking.length === 0 ? {} : { reasoningText: thinking.join("") }),
      });
      for (const { id, name, arguments: args } of calls)
        yield event("tool.execution_start", time, { toolCallId: id, toolName: name, arguments: args });
    } else if (message.role === "toolResult") {
      const result = { content: textOf(message), detailedContent: textOf(message) };
      yield event("tool.execution_complete", time, { toolCallId: message.toolCallId, success: true, result });
    }
  }
}

/** An endless Cursor transcript, which has no results of tools. */
export function* cursorLines(): Generator<object> {
  for (const message of transcript(CALLS)) {
    if (message.role === "user") {
      const text = `<user_query>\n${textOf(message)}\n</user_query>`;
      yield { role: "user", message: { content: [{ type: "text", text }] } };
    } else if (message.role === "assistant") {
      const content = message.content.map((block) => {
        if (block.type === "thinking") return { type: "thinking", thinking: block.thinking };
        return block.type === "toolCall"
          ? { type: "tool_use", name: block.name, input: block.arguments }
          : block;
      });
      yield { role: "assistant", message: { content } };
      if (message.stopReason === "stop") yield { type: "turn_ended", status: "success" };
    }
  }
}

function googlePart(block: AssistantMessage["content"][number]): object {
  if (block.type === "thinking") return { text: block.thinking, thought: true };
  if (block.type === "text") return { text: block.text };
  if (block.type !== "toolCall") return block;
  return { functionCall: { id: block.id, name: block.name, args: block.arguments } };
}

function googleResult(message: ToolResultMessage): object {
  const { toolCallId: id, toolName: name } = message;
  return { functionResponse: { id, name, response: { output: textOf(message) } } };
}

function googleUsage({ usage }: AssistantMessage): object {
  return {
    promptTokenCount: usage.input + usage.cacheRead,
    candidatesTokenCount: usage.output,
    cachedContentTokenCount: usage.cacheRead,
    totalTokenCount: usage.totalTokens,
  };
}

function idOf(count: number): string {
  return `d0000000-0000-4000-8000-${count.toString(16).padStart(12, "0")}`;
}

function timeOf({ timestamp }: AgentMessage): string {
  return new Date(timestamp).toISOString();
}

function textOf({ content }: UserMessage | AssistantMessage | ToolResultMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
