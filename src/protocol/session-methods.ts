import * as Type from "@sinclair/typebox";
import { ref } from "../core/schema/build.js";
import { Usage } from "../core/schema/index.js";
import {
  count,
  counts,
  idempotencyKey,
  limit,
  oneOf,
  optional,
  RpcSessionInfo,
  sessionServers,
  strict,
  text,
} from "./shared.js";

const agent = optional.text;
const sessionKey = text;
const ofSession = strict({ sessionKey });
const session = Type.Object({ sessionKey, id: text });

/** Where sessions take place. */
const place = {
  agent,
  /** The chat platform in the session's key, such as `telegram`. */
  channel: optional.text,
  /** The folder that the session works in; needs the scope `admin`. */
  folder: optional.text,
};

const hit = Type.Object({
  session: text,
  /** The program in whose folders the session was found, unless it is in the gateway's home. */
  source: optional.text,
  agent: text,
  message: optional.text,
  position: count,
  role: text,
  timestamp: Type.Number(),
  snippet: Type.Array(Type.Object({ text, match: Type.Boolean() })),
});

const named = Type.Array(Type.Object({ name: text, sessions: count }));

/** Listing, finding and changing sessions. */
export const sessionMethods = {
  "sessions.list": {
    params: strict({
      ...place,
      archived: optional.boolean,
      /** Last active in this time, both included; Unix milliseconds. */
      since: optional.time,
      until: optional.time,
      sort: Type.Optional(oneOf(["active", "created"])),
      /** The program whose sessions are listed, or `all` (default: the gateway's own); needs the scope `admin`. */
      source: optional.text,
      limit,
      before: optional.text,
    }),
    result: Type.Object({
      sessions: Type.Array(ref(RpcSessionInfo)),
      next: optional.text,
      /** The ids of all sessions with a run under way, listed here or not. */
      busy: Type.Array(text),
      /** The ids of all sessions that wait for an answer of a user. */
      asking: Type.Array(text),
    }),
  },
  "sessions.subscribe": { params: strict({}), result: Type.Object({ subscribed: Type.Literal(true) }) },
  "sessions.get": {
    params: strict({ sessionKey, source: optional.text }),
    result: Type.Object({ session: ref(RpcSessionInfo), busy: Type.Boolean() }),
  },
  "sessions.create": {
    params: strict({
      agent,
      key: optional.text,
      title: optional.text,
      model: optional.text,
      /** The folder that the session's tools work in (default: the agent's workspace); needs the scope `admin`. */
      workspace: optional.text,
      idempotencyKey,
    }),
    result: session,
  },
  "sessions.rename": {
    params: strict({ sessionKey, title: text }),
    result: Type.Object({ sessionKey, title: text }),
  },
  "sessions.model": {
    /** Without a model, returns the current one. */
    params: strict({ sessionKey, model: optional.text }),
    result: Type.Object({ sessionKey, model: text }),
  },
  "sessions.workspace": {
    /** Without a workspace, returns the current one. */
    params: strict({ sessionKey, workspace: optional.text }),
    result: Type.Object({ sessionKey, workspace: text }),
  },
  "sessions.mcpServers": {
    /** Replaces what this client gave the session before; they run until it disconnects. */
    params: strict({ sessionKey, mcpServers: sessionServers }),
    result: Type.Object({ sessionKey, servers: Type.Array(text) }),
  },
  "sessions.fork": {
    params: strict({
      sessionKey,
      messageId: optional.text,
      /** The model that answers in the fork (default: the one of the session). */
      model: optional.text,
      idempotencyKey,
    }),
    result: session,
  },
  "sessions.archive": {
    params: strict({ sessionKey, archived: optional.boolean }),
    result: Type.Object({ sessionKey, archived: Type.Boolean() }),
  },
  "sessions.search": {
    params: strict({
      query: text,
      ...place,
      role: Type.Optional(oneOf(["user", "assistant", "toolResult"])),
      since: optional.time,
      until: optional.time,
      source: optional.text,
      limit,
    }),
    result: Type.Object({
      hits: Type.Array(hit),
      /** How many messages match, as far as they were counted. */
      total: count,
      /** Not all were counted. */
      more: Type.Optional(Type.Literal(true)),
      ignored: Type.Array(text),
    }),
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
  "sessions.filters": {
    params: strict({}),
    /** The values that `sessions.list` and `sessions.search` can be limited to, the most frequent first. */
    result: Type.Object({
      /** `dragoman` is the gateway's own. */
      sources: named,
      agents: named,
      channels: named,
      folders: named,
    }),
  },
  "sessions.branches": {
    params: ofSession,
    result: Type.Object({
      /** The places where this session and its forks continue differently. */
      branches: Type.Array(
        Type.Object({
          /** The id of the last message that they share; absent if they differ from the first one on. */
          after: optional.text,
          /** The ids of the sessions, one for each continuation: the original, then its forks by age. */
          sessions: Type.Array(text),
          /** The index of the continuation that the session has. */
          current: count,
        }),
      ),
    }),
  },
  "sessions.spending": {
    params: strict({
      by: oneOf(["day", "model", "project", "source"]),
      /** Whole days, UTC; Unix milliseconds, both included. */
      since: optional.time,
      until: optional.time,
    }),
    /** What the stored answers used, of all sources that the token may read. */
    result: Type.Object({
      rows: Type.Array(
        Type.Object({
          /** Absent if it is unknown. */
          name: optional.text,
          sessions: count,
          answers: count,
          usage: ref(Usage),
          unknownPrices: Type.Boolean(),
        }),
      ),
    }),
  },
};
