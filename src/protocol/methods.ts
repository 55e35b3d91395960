import { type TSchema, Type } from "@sinclair/typebox";
import { ref } from "../core/schema/build.js";
import { Loss, OpenClawMessage, Usage, UserContent } from "../core/schema/index.js";
import {
  count,
  counts,
  oneOf,
  outcome,
  permissionAnswer,
  RpcCursor,
  RpcPermissionRequest,
  RpcSessionInfo,
  RpcStored,
  scope,
  strict,
  text,
} from "./shared.js";
import { PROTOCOL } from "./version.js";

const optional = {
  text: Type.Optional(text),
  count: Type.Optional(count),
  boolean: Type.Optional(Type.Boolean()),
};
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));
const agent = Type.Optional(text);
const sessionKey = text;
const ofSession = strict({ sessionKey });
const session = Type.Object({ sessionKey, id: text });
const stored = Type.Array(ref(RpcStored));

/** The same words again, with the same key: answered once, also after a restart. */
const idempotencyKey = Type.Optional(Type.String({ pattern: "^[\\s\\S]{1,256}$" }));

/** What becomes of a message that comes while an answer is under way. */
const mode = Type.Optional(oneOf(["steer", "followup", "collect", "interrupt"]));

const accepted = Type.Object({
  status: Type.Literal("accepted"),
  /** The run that answers it, or that was under way when it came. */
  runId: text,
  sessionKey,
  messageId: text,
});

const hit = Type.Object({
  session: text,
  agent: text,
  message: optional.text,
  position: count,
  role: text,
  timestamp: Type.Number(),
  snippet: Type.Array(Type.Object({ text, match: Type.Boolean() })),
});

const channelStatus = Type.Object({
  channel: text,
  account: text,
  state: oneOf(["connecting", "connected", "waiting", "stopped", "pairing"]),
  /** Who it is on the platform, once it is connected. */
  me: Type.Optional(Type.Object({ id: text, name: optional.text })),
  why: optional.text,
  hint: optional.text,
  /** Messages that were stored, and are not answered yet. */
  waiting: count,
  /** Requests of answers that are still to be sent. */
  unsent: count,
  /** Those that may or may not have arrived; they are not sent again. */
  unknown: count,
  /** Those the platform refused. */
  refused: count,
  /** People whose codes wait for `dragoman channels approve`. */
  pairing: count,
});

const card = Type.Object({
  /** `provider/model`. */
  id: text,
  contextWindow: optional.count,
  maxOutput: optional.count,
  input: Type.Array(text),
  thinking: Type.Boolean(),
  /** Nothing that it needs is missing: there is a key, or it wants none. */
  ready: Type.Boolean(),
});

interface Shape {
  params: TSchema;
  result: TSchema;
}

/** Every method: what it is given and what it gives. */
export const methods = {
  connect: {
    params: strict({
      protocol: optional.count,
      client: Type.Optional(strict({ name: text, version: optional.text })),
    }),
    result: Type.Object({
      protocol: Type.Literal(PROTOCOL),
      server: Type.Object({ name: text }),
      scope,
      /** Those that the token's scope allows. */
      methods: Type.Array(text),
      events: Type.Array(text),
      limits: Type.Object({ frameBytes: count, unreadBytes: count, batch: count, inFlight: count }),
    }),
  },
  health: {
    params: strict({}),
    result: Type.Object({ status: Type.Literal("ok"), time: Type.Number() }),
  },
  agent: {
    params: strict({
      message: ref(OpenClawMessage),
      channel: Type.Optional(Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,31}$" })),
      accountId: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9_.-]{1,64}$" })),
      agent,
      mode,
      idempotencyKey,
    }),
    result: Type.Object({
      ...accepted.properties,
      /** Whether the answer is sent through the account of the channel, or only stored and sent to clients as events. */
      delivery: oneOf(["queued", "none"]),
      /** Why it is not sent, where a channel was given. */
      why: optional.text,
    }),
  },
  "agent.wait": {
    params: strict({ runId: text, timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })) }),
    result: Type.Object({
      runId: text,
      status: oneOf(["done", "aborted", "error", "timeout"]),
      error: optional.text,
    }),
  },
  "chat.send": {
    params: strict({
      sessionKey,
      text: optional.text,
      content: Type.Optional(Type.Array(ref(UserContent))),
      mode,
      idempotencyKey,
    }),
    result: accepted,
  },
  "chat.history": {
    params: strict({ sessionKey, limit, before: optional.count, after: optional.count }),
    result: Type.Object({
      sessionKey,
      messages: stored,
      /** Where these messages begin and end. */
      start: count,
      end: count,
      /** There is more, further back or (with `after`) further on. */
      more: Type.Boolean(),
    }),
  },
  "chat.abort": {
    params: strict({ sessionKey, runId: optional.text }),
    result: Type.Object({ aborted: Type.Boolean(), runId: optional.text }),
  },
  "chat.subscribe": {
    params: strict({
      sessionKey,
      after: Type.Optional(ref(RpcCursor)),
      events: Type.Optional(Type.Array(oneOf(["agent", "chat", "message", "permission"]))),
      /** Whether you can be asked for permissions. */
      asks: optional.boolean,
    }),
    result: Type.Object({
      /** As the events say it. */
      sessionKey,
      /** Not there while the session does not exist yet. */
      id: optional.text,
      /** What was stored since `after`. */
      messages: stored,
      /** False: there is more than one answer can hold. Ask again with `after: cursor`. */
      live: Type.Boolean(),
      /** Where you are. Events go on from here. */
      cursor: ref(RpcCursor),
      /** The run under way, with the numbers after which its events go on. */
      run: Type.Optional(Type.Object({ runId: text, seq: count, chatSeq: count })),
      /** How the run of your cursor ended meanwhile, if that is known. */
      ended: Type.Optional(Type.Object({ runId: text, outcome, error: optional.text })),
      permissions: Type.Array(ref(RpcPermissionRequest)),
    }),
  },
  "chat.unsubscribe": {
    params: ofSession,
    result: Type.Object({ unsubscribed: Type.Boolean() }),
  },
  "sessions.list": {
    params: strict({
      agent,
      archived: optional.boolean,
      sort: Type.Optional(oneOf(["active", "created"])),
      limit,
      before: optional.text,
    }),
    result: Type.Object({
      sessions: Type.Array(ref(RpcSessionInfo)),
      next: optional.text,
      /** The ids of all sessions, listed here or not, in which something is under way. */
      busy: Type.Array(text),
    }),
  },
  "sessions.subscribe": { params: strict({}), result: Type.Object({ subscribed: Type.Literal(true) }) },
  "sessions.get": {
    params: ofSession,
    result: Type.Object({ session: ref(RpcSessionInfo), busy: Type.Boolean() }),
  },
  "sessions.create": {
    params: strict({ agent, key: optional.text, title: optional.text, model: optional.text, idempotencyKey }),
    result: session,
  },
  "sessions.rename": {
    params: strict({ sessionKey, title: text }),
    result: Type.Object({ sessionKey, title: text }),
  },
  "sessions.model": {
    /** Without a model it only returns the one that answers next. */
    params: strict({ sessionKey, model: optional.text }),
    result: Type.Object({ sessionKey, model: text }),
  },
  "sessions.fork": {
    params: strict({ sessionKey, messageId: optional.text, idempotencyKey }),
    result: session,
  },
  "sessions.archive": {
    params: strict({ sessionKey, archived: optional.boolean }),
    result: Type.Object({ sessionKey, archived: Type.Boolean() }),
  },
  "sessions.export": {
    /** Without a dialect it is given as it is stored, in the one it was written in. */
    params: strict({ sessionKey, dialect: optional.text }),
    result: Type.Object({ dialect: text, text, losses: Type.Array(ref(Loss)) }),
  },
  "sessions.search": {
    params: strict({
      query: text,
      agent,
      role: Type.Optional(oneOf(["user", "assistant", "toolResult"])),
      since: Type.Optional(Type.Number()),
      until: Type.Optional(Type.Number()),
      limit,
    }),
    result: Type.Object({ hits: Type.Array(hit), ignored: Type.Array(text) }),
  },
  "sessions.compact": { params: ofSession, result: Type.Object({ compacted: Type.Boolean() }) },
  "sessions.stats": {
    params: strict({}),
    result: Type.Object({
      sessions: count,
      archived: count,
      counts,
      usage: ref(Usage),
      unknownPrices: Type.Boolean(),
    }),
  },
  "models.list": { params: strict({}), result: Type.Object({ models: Type.Array(card) }) },
  "agents.list": {
    params: strict({}),
    result: Type.Object({
      agents: Type.Array(Type.Object({ id: text, model: text, description: text })),
    }),
  },
  "dialects.list": {
    params: strict({}),
    result: Type.Object({
      dialects: Type.Array(Type.Object({ name: text, title: text, kind: text, writes: Type.Boolean() })),
    }),
  },
  "tools.list": {
    params: strict({ agent }),
    result: Type.Object({
      tools: Type.Array(Type.Object({ name: text, description: text, parameters: Type.Unknown() })),
    }),
  },
  "channels.status": { params: strict({}), result: Type.Object({ channels: Type.Array(channelStatus) }) },
  "permission.answer": {
    params: strict({ sessionKey, id: text, answer: permissionAnswer }),
    /** False if another client answered first. */
    result: Type.Object({ answered: Type.Boolean() }),
  },
} satisfies Record<string, Shape>;
