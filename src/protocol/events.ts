import * as Type from "@sinclair/typebox";
import { named, ref, tagged, withMembers } from "../core/schema/build.js";
import { AgentEventLine, AssistantMessage } from "../core/schema/index.js";
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

/** A step of a run: an event of its agent, or the run's own start and end. */
export const RpcAgentStep = named(
  "RpcAgentStep",
  withMembers(AgentEventLine, [
    Type.Object({ type: Type.Literal("run_start") }),
    Type.Object({ type: Type.Literal("run_end"), outcome, error: Type.Optional(text) }),
  ]),
);

/** Events of one name and run cover the numbers from `fromSeq` (default: `seq`) to `seq`, without gaps. */
const ofRun = { runId: text, sessionKey: text, seq: count, fromSeq: Type.Optional(count) };

export const RpcAgentEvent = named(
  "RpcAgentEvent",
  Type.Object({
    ...ofRun,
    stream: oneOf(["lifecycle", "assistant", "thinking", "tool", "error"]),
    /** `text` repeats the delta of an answer's text, for readers that need only that. */
    data: Type.Intersect([ref(RpcAgentStep), Type.Object({ text: Type.Optional(text) })]),
  }),
);

const textMessage = Type.Object({
  role: Type.Literal("assistant"),
  content: Type.Array(Type.Object({ type: Type.Literal("text"), text })),
  timestamp: Type.Number(),
});

/**
 * The same for clients that only show text. A `delta` has the new text, and `offset` is the number of UTF-16 units of the
 * answer before it; 0 starts another answer. A run's last event has its last answer in full; after a failure it may have no
 * content, and `errorMessage` has the reason.
 */
export const RpcChatEvent = named(
  "RpcChatEvent",
  tagged("state", [
    Type.Object({ ...ofRun, state: Type.Literal("delta"), offset: count, message: textMessage }),
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

/** A message was stored. */
export const RpcMessageEvent = named(
  "RpcMessageEvent",
  Type.Object({ sessionKey: text, ...RpcStored.properties }),
);

export const RpcPermissionEvent = named(
  "RpcPermissionEvent",
  tagged("state", [
    Type.Object({ sessionKey: text, state: Type.Literal("asked"), request: ref(RpcPermissionRequest) }),
    Type.Object({ sessionKey: text, state: Type.Literal("answered"), id: text, answer: permissionAnswer }),
    /** There was no answer in time. */
    Type.Object({ sessionKey: text, state: Type.Literal("expired"), id: text }),
    /** The run was stopped before there was an answer. */
    Type.Object({ sessionKey: text, state: Type.Literal("withdrawn"), id: text }),
  ]),
);

/**
 * A session changed: it was created or edited, it has a new message, its agent started or finished working, or it asks the
 * user something or was answered.
 */
export const RpcSessionEvent = named(
  "RpcSessionEvent",
  Type.Object({ session: ref(RpcSessionInfo), busy: Type.Boolean(), asking: Type.Boolean() }),
);

/** A frame that the server sends without a request. */
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
