import { Type } from "@sinclair/typebox";
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

/** A step of a run: an event of its agent, or the run's own beginning and end. */
export const RpcAgentStep = named(
  "RpcAgentStep",
  withMembers(AgentEventLine, [
    Type.Object({ type: Type.Literal("run_start") }),
    Type.Object({ type: Type.Literal("run_end"), outcome, error: Type.Optional(text) }),
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
    /** `text` is the delta of an answer's text again, for readers who look for nothing else. */
    data: Type.Intersect([ref(RpcAgentStep), Type.Object({ text: Type.Optional(text) })]),
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
