import { type TProperties, Type } from "@sinclair/typebox";
import { named, ref } from "../core/schema/build.js";
import { AgentMessage, ToolCall, Usage } from "../core/schema/index.js";

/** A request's parameters know all their fields: a misspelt one is an error, not ignored. */
export function strict<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

export function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>({ enum: [...values] });
}

export const count = Type.Integer({ minimum: 0 });
export const text = Type.String();

/** What a token lets its holder do; each includes the ones before it. */
export const scope = oneOf(["read", "chat", "admin"]);
export const outcome = oneOf(["done", "aborted", "error"]);
export const permissionAnswer = oneOf(["once", "session", "never"]);

/** How far a client has read a session: its stored messages, and the events of the run that was under way. */
export const RpcCursor = named(
  "RpcCursor",
  strict({ position: count, runId: Type.Optional(text), seq: Type.Optional(count) }),
);

/** A message and where it stands: `next` is the place right after it. */
export const RpcStored = named(
  "RpcStored",
  Type.Object({ position: count, next: count, message: ref(AgentMessage) }),
);

/** A request for permission to run a tool. */
export const RpcPermissionRequest = named(
  "RpcPermissionRequest",
  Type.Object({ id: text, toolCall: ref(ToolCall), subject: Type.Optional(text) }),
);

export const counts = Type.Object({
  user: count,
  assistant: count,
  toolResult: count,
  lines: count,
  bad: count,
});

/** What is known of a session without reading it. */
export const RpcSessionInfo = named(
  "RpcSessionInfo",
  Type.Object({
    sessionKey: text,
    id: text,
    agent: text,
    key: Type.Optional(text),
    title: Type.Optional(text),
    created: Type.Optional(Type.Number()),
    active: Type.Optional(Type.Number()),
    counts,
    usage: ref(Usage),
    unknownPrices: Type.Boolean(),
    models: Type.Array(text),
    archived: Type.Boolean(),
    /** Another program wrote it. Whoever talks to it by its key talks to a copy, which has that key from then on. */
    foreign: Type.Boolean(),
    parent: Type.Optional(
      Type.Object({ session: text, message: Type.Optional(text), toolCallId: Type.Optional(text) }),
    ),
  }),
);
