import { type TProperties, Type } from "@sinclair/typebox";
import { named, ref, tagged } from "../../core/schema/build.js";
import { AssistantContent, AssistantMessage, ToolCall } from "../../core/schema/index.js";
import {
  count,
  oneOf,
  outcome,
  permissionAnswer,
  RpcPermissionRequest,
  RpcSessionInfo,
  RpcStored,
  text,
} from "./shared.js";

function step<T extends string, P extends TProperties>(type: T, properties: P) {
  return Type.Object({ type: Type.Literal(type), ...properties });
}

const block = { contentIndex: count };
/** What is new of a block. */
const delta = { ...block, text };
/** `message_end` has the id under which the message was stored, and of a failed answer or an error line the failure. */
const whose = {
  role: text,
  id: Type.Optional(text),
  error: Type.Optional(Type.Object({ message: text, code: Type.Optional(text) })),
};
const tool = { toolCallId: text, toolName: text };

/** One step of a run. Messages are told by `message` events, once they are stored; here are only their ids. */
export const RpcAgentStep = named(
  "RpcAgentStep",
  tagged("type", [
    step("run_start", {}),
    step("run_end", { outcome, error: Type.Optional(text) }),
    step("agent_start", {}),
    step("agent_end", {}),
    step("turn_start", {}),
    step("turn_end", {}),
    step("message_start", whose),
    step("message_end", whose),
    step("text_start", block),
    step("text_delta", delta),
    step("text_end", block),
    step("thinking_start", block),
    step("thinking_delta", delta),
    step("thinking_end", block),
    // `arguments` is there for those who come in the middle of a call nobody has the text of.
    step("toolcall_start", {
      ...block,
      id: Type.Optional(text),
      name: Type.Optional(text),
      arguments: Type.Optional(Type.Unknown()),
    }),
    step("toolcall_delta", delta),
    step("toolcall_end", { ...block, toolCall: ref(ToolCall) }),
    step("block_end", { ...block, block: ref(AssistantContent) }),
    step("tool_execution_start", { ...tool, args: Type.Unknown() }),
    step("tool_execution_update", { ...tool, partialResult: Type.Unknown() }),
    step("tool_execution_end", { ...tool, result: Type.Unknown(), isError: Type.Boolean() }),
  ]),
);

/** Events of one name and run cover the numbers from `fromSeq` (`seq` if it is not there) to `seq`, without gaps. */
const ofRun = {
  runId: text,
  sessionKey: text,
  seq: count,
  fromSeq: Type.Optional(count),
};

export const RpcAgentEvent = named(
  "RpcAgentEvent",
  Type.Object({
    ...ofRun,
    stream: oneOf(["lifecycle", "assistant", "thinking", "tool", "error"]),
    data: ref(RpcAgentStep),
  }),
);

const said = Type.Object({
  role: Type.Literal("assistant"),
  content: Type.Array(Type.Object({ type: Type.Literal("text"), text })),
  timestamp: Type.Number(),
});

/**
 * The same for those who only want to show text. A `delta` has what is new, and `offset` is how many UTF-16 units of the
 * answer's text came before: with 0 another answer begins. The last event of a run has its last answer whole; that of a run that
 * failed may have no content, and `errorMessage` says why.
 */
export const RpcChatEvent = named(
  "RpcChatEvent",
  tagged("state", [
    Type.Object({ ...ofRun, state: Type.Literal("delta"), offset: count, message: said }),
    ...(["final", "aborted", "error"] as const).map((state) =>
      Type.Object({
        ...ofRun,
        state: Type.Literal(state),
        message: Type.Optional(ref(AssistantMessage)),
        errorMessage: Type.Optional(text),
      }),
    ),
  ]),
);

/** Something was stored. */
export const RpcMessageEvent = named(
  "RpcMessageEvent",
  Type.Object({ sessionKey: text, ...RpcStored.properties }),
);

export const RpcPermissionEvent = named(
  "RpcPermissionEvent",
  tagged("state", [
    Type.Object({ sessionKey: text, state: Type.Literal("asked"), request: ref(RpcPermissionRequest) }),
    Type.Object({
      sessionKey: text,
      state: Type.Literal("answered"),
      id: text,
      answer: permissionAnswer,
    }),
  ]),
);

/** Something about a session has changed: it was made or described, somebody spoke, its agent has begun or ended its work. */
export const RpcSessionEvent = named(
  "RpcSessionEvent",
  Type.Object({ session: ref(RpcSessionInfo), busy: Type.Boolean() }),
);

/** What the server sends without being asked. */
export const RpcEvent = named(
  "RpcEvent",
  tagged("event", [
    Type.Object({ event: Type.Literal("agent"), data: ref(RpcAgentEvent) }),
    Type.Object({ event: Type.Literal("chat"), data: ref(RpcChatEvent) }),
    Type.Object({ event: Type.Literal("message"), data: ref(RpcMessageEvent) }),
    Type.Object({ event: Type.Literal("permission"), data: ref(RpcPermissionEvent) }),
    Type.Object({ event: Type.Literal("session"), data: ref(RpcSessionEvent) }),
  ]),
);
