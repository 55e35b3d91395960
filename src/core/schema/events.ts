import type { TProperties } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { AssistantContent, ToolCall } from "./blocks.js";
import { named, ref, tagged } from "./build.js";
import { AgentMessage, AssistantMessage, StopReason, ToolResultMessage } from "./messages.js";

function event<T extends string, P extends TProperties>(type: T, properties: P) {
  return Type.Object({ type: Type.Literal(type), ...properties });
}

/** One step of one block. `partial` is the live message: always present in process, on a wire only on request. */
function blockEvent<T extends string, P extends TProperties>(type: T, properties: P) {
  return event(type, {
    contentIndex: Type.Number(),
    ...properties,
    partial: Type.Optional(ref(AssistantMessage)),
  });
}

const delta = { delta: Type.String() };

/** The events of an answer; `content` is the field with which the end of a text repeats it. */
function answerEvents<P extends TProperties>(content: P) {
  return tagged("type", [
    event("start", { partial: ref(AssistantMessage) }),
    event("done", { reason: ref(StopReason), message: ref(AssistantMessage) }),
    event("error", {
      reason: Type.Unsafe<"aborted" | "error">({ enum: ["aborted", "error"] }),
      error: ref(AssistantMessage),
    }),
    blockEvent("text_start", {}),
    blockEvent("text_delta", delta),
    blockEvent("text_end", content),
    blockEvent("thinking_start", {}),
    blockEvent("thinking_delta", delta),
    blockEvent("thinking_end", content),
    // A remote reader has no `partial`, but shows which tool is being called before the arguments are complete.
    blockEvent("toolcall_start", { id: Type.Optional(Type.String()), name: Type.Optional(Type.String()) }),
    blockEvent("toolcall_delta", delta),
    blockEvent("toolcall_end", { toolCall: ref(ToolCall) }),
    // A block that does not stream (an image, an opaque item) arrives whole.
    blockEvent("block_end", { block: ref(AssistantContent) }),
  ]);
}

export const AssistantMessageEvent = named("AssistantMessageEvent", answerEvents({ content: Type.String() }));

/** The same event for readers that join the deltas of a text themselves: `content` may be omitted. */
export const AssistantMessageEventLine = named(
  "AssistantMessageEventLine",
  answerEvents({ content: Type.Optional(Type.String()) }),
);

const tool = { toolCallId: Type.String(), toolName: Type.String() };
const message = ref(AgentMessage);
const toolResults = Type.Array(ref(ToolResultMessage));
const messages = Type.Array(message);
const unknown = Type.Unknown();

/** Events that are the same in process and on a wire. */
const agentEvents = [
  event("agent_start", {}),
  event("turn_start", {}),
  event("tool_execution_start", { ...tool, args: unknown }),
  event("tool_execution_end", { ...tool, result: unknown, isError: Type.Boolean() }),
] as const;

export const AgentEvent = named(
  "AgentEvent",
  tagged("type", [
    ...agentEvents,
    event("agent_end", { messages }),
    event("turn_end", { message, toolResults }),
    event("message_start", { message }),
    event("message_update", { message, assistantMessageEvent: ref(AssistantMessageEvent) }),
    event("message_end", { message }),
    event("tool_execution_update", { ...tool, args: unknown, partialResult: unknown }),
  ]),
);

/** Names a message that the reader receives in full elsewhere. `error`: why an answer failed, or an error line's content. */
export const MessageName = named(
  "MessageName",
  Type.Object(
    {
      role: Type.String(),
      id: Type.Optional(Type.String()),
      error: Type.Optional(Type.Object({ message: Type.String(), code: Type.Optional(Type.String()) })),
    },
    { additionalProperties: false },
  ),
);

const wholeOrNamed = Type.Union([ref(MessageName), message]);

/**
 * The same event on a wire: a line of `dragoman chat --json`, or the `data` of an `agent` event of `/rpc`. It omits
 * everything that each step would repeat. A line of `chat --json` has full messages; over `/rpc` they are named.
 */
export const AgentEventLine = named(
  "AgentEventLine",
  tagged("type", [
    ...agentEvents,
    event("agent_end", { messages: Type.Optional(messages) }),
    event("turn_end", { message: Type.Optional(message), toolResults: Type.Optional(toolResults) }),
    event("message_start", { message: wholeOrNamed }),
    event("message_update", {
      message: Type.Optional(message),
      assistantMessageEvent: ref(AssistantMessageEventLine),
    }),
    event("message_end", { message: wholeOrNamed }),
    event("tool_execution_update", { ...tool, args: Type.Optional(unknown), partialResult: unknown }),
  ]),
);
