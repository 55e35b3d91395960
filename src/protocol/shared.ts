import type { TProperties } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named, ref } from "../core/schema/build.js";
import { AgentMessage, ToolCall, Usage } from "../core/schema/index.js";
import { PermissionAnswer, Question } from "../core/schema/question.js";

/** Parameters without additional fields, so that a misspelt name is an error. */
export function strict<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

export function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>({ enum: [...values] });
}

export const count = Type.Integer({ minimum: 0 });
export const text = Type.String();

export const optional = {
  text: Type.Optional(text),
  count: Type.Optional(count),
  boolean: Type.Optional(Type.Boolean()),
  /** Unix milliseconds. */
  time: Type.Optional(Type.Number()),
};
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));

/** Requests with the same key are processed once, even across a restart. */
export const idempotencyKey = Type.Optional(Type.String({ pattern: "^[\\s\\S]{1,256}$" }));

/** The permissions of a token; each scope includes the ones before it. */
export const scope = oneOf(["read", "chat", "admin"]);
export const outcome = oneOf(["done", "aborted", "error"]);
export const permissionAnswer = PermissionAnswer;

/** How far a client has read a session: its stored messages, and the events of the run under way. */
export const RpcCursor = named(
  "RpcCursor",
  strict({ position: count, runId: Type.Optional(text), seq: Type.Optional(count) }),
);

/** A stored message and its position; `next` is the position after it. */
export const RpcStored = named(
  "RpcStored",
  Type.Object({ position: count, next: count, message: ref(AgentMessage) }),
);

const fieldValue = Type.Union([text, Type.Number(), Type.Boolean(), Type.Array(text)]);

/** The values of a form, by the names of its fields. */
export const formContent = Type.Record(text, fieldValue);

/** A question that the MCP server of a running tool asks. */
export const RpcQuestion = named("RpcQuestion", Type.Object(Question.properties));

/** A request for permission to run a tool, or a question of its server. Its id is unique, also across restarts. */
export const RpcPermissionRequest = named(
  "RpcPermissionRequest",
  Type.Object({
    id: text,
    toolCall: ref(ToolCall),
    subject: Type.Optional(text),
    question: Type.Optional(ref(RpcQuestion)),
    /** When it was asked, and when it expires unless it is answered, in Unix milliseconds. */
    asked: Type.Number(),
    expires: Type.Number(),
  }),
);

/** An MCP server that a client gives to a session: a program in `command`, or an address in `url`. */
const sessionServer = strict({
  command: Type.Optional(text),
  args: Type.Optional(Type.Array(text)),
  env: Type.Optional(Type.Record(text, text)),
  cwd: Type.Optional(text),
  url: Type.Optional(text),
  headers: Type.Optional(Type.Record(text, text)),
});

/** By name. */
export const sessionServers = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$" }),
  sessionServer,
  { additionalProperties: false },
);

export const counts = Type.Object({
  user: count,
  assistant: count,
  toolResult: count,
  lines: count,
  bad: count,
});

/** A session's metadata. */
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
    /** Another program wrote it. A message to its key goes to a copy, which gets the key. */
    foreign: Type.Boolean(),
    /** The program in whose folders it was found, unless it is in the gateway's home. */
    source: Type.Optional(text),
    /** The folder that its tools work in; only for tokens with the scope `admin`. */
    workspace: Type.Optional(Type.String()),
    /** The folder that another program recorded for it; only for tokens with the scope `admin`. */
    folder: Type.Optional(Type.String()),
    parent: Type.Optional(
      Type.Object({ session: text, message: Type.Optional(text), toolCallId: Type.Optional(text) }),
    ),
  }),
);
