import type { TSchema } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { ref } from "../core/schema/build.js";
import { OpenClawMessage, UserContent } from "../core/schema/index.js";
import { Output } from "../core/schema/output.js";
import { channelMethods } from "./channel-methods.js";
import { linkMethods } from "./link-methods.js";
import { permissionMethods } from "./permission-methods.js";
import { sessionMethods } from "./session-methods.js";
import { settingsMethods } from "./settings-methods.js";
import {
  count,
  idempotencyKey,
  limit,
  oneOf,
  optional,
  outcome,
  RpcCursor,
  RpcPermissionRequest,
  RpcStored,
  scope,
  strict,
  text,
} from "./shared.js";
import { transferMethods } from "./transfer-methods.js";
import { PROTOCOL } from "./version.js";

const agent = Type.Optional(text);
const sessionKey = text;
const ofSession = strict({ sessionKey });
const stored = Type.Array(ref(RpcStored));

/** How to treat a message that arrives while an answer is under way. */
const mode = Type.Optional(oneOf(["steer", "followup", "collect", "interrupt"]));

const accepted = Type.Object({
  status: Type.Literal("accepted"),
  /** The run that answers it, or that was under way when it arrived. */
  runId: text,
  sessionKey,
  messageId: text,
});

const serverStatus = Type.Object({
  name: text,
  /** The agent that it is configured for (default: all). */
  agent,
  kind: oneOf(["stdio", "http"]),
  state: oneOf(["starting", "ready", "waiting", "failed", "closed", "disabled"]),
  /** Why it is not ready. */
  why: optional.text,
  era: Type.Optional(oneOf(["modern", "legacy"])),
  /** The version of the protocol. */
  version: optional.text,
  /** The server's own name and version. */
  server: optional.text,
  /** Its tools, as `name/tool`. */
  tools: Type.Array(text),
});

const card = Type.Object({
  /** `provider/model`. */
  id: text,
  contextWindow: optional.count,
  maxOutput: optional.count,
  input: Type.Array(text),
  /** The MIME types of images, audio and files that it accepts, such as `image/*`. Text files are always accepted. */
  accepts: Type.Array(text),
  thinking: Type.Boolean(),
  /** Whether it can be used: it has a key, or needs none, and a server on this computer has it. */
  ready: Type.Boolean(),
  /** What it lacks, if that is known: a key in this variable, a server at this address, or this model on the server. */
  missing: Type.Optional(Type.Object({ what: oneOf(["key", "server", "model"]), name: text })),
  /** Whether it is called with a key or credentials; demo models and those of servers on this computer are not. */
  needsKey: Type.Boolean(),
  /** A sentence about what it does; only demo models have one. */
  description: optional.text,
});

/** A run under way. */
const run = Type.Object({
  sessionKey,
  id: text,
  agent: text,
  runId: text,
  /** The names of the tools that are running. */
  tools: Type.Array(text),
  /** How many clients of `/rpc` follow the session. */
  watchers: count,
});

const usageCounts = {
  calls: count,
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  /** How many of the output tokens were reasoning. */
  reasoning: count,
  /** Dollars. */
  cost: Type.Number(),
  /** How many of the calls have an unknown cost, or one that is known only in part. */
  unpriced: count,
};

const budget = Type.Object({
  token: text,
  /** The token's name. */
  name: text,
  dollars: Type.Number(),
  per: oneOf(["day", "month"]),
  spent: Type.Number(),
  remaining: Type.Number(),
  /** When the next day or month begins, UTC, in Unix milliseconds. */
  resets: Type.Number(),
});

interface Shape {
  params: TSchema;
  result: TSchema;
}

/** Every method's parameters and result. */
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
      /** The id of the only session that the token may read (default: it is not limited to one). */
      session: optional.text,
      /** The methods that the token allows. */
      methods: Type.Array(text),
      events: Type.Array(text),
      limits: Type.Object({ frameBytes: count, unreadBytes: count, batch: count, inFlight: count }),
    }),
  },
  health: { params: strict({}), result: Type.Object({ status: Type.Literal("ok"), time: Type.Number() }) },
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
      /** Whether the answer is sent through the channel account, or only stored and sent to clients as events. */
      delivery: oneOf(["queued", "none"]),
      /** Why it is not sent, if a channel was given. */
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
      /** The form of the answer (default: the agent's). */
      output: Type.Optional(Output),
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
      /** The positions before the first and after the last message. */
      start: count,
      end: count,
      /** Whether there are earlier messages or (with `after`) later ones. */
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
      /** Whether to receive permission requests. */
      asks: optional.boolean,
    }),
    result: Type.Object({
      /** The key in the events. */
      sessionKey,
      /** Absent while the session does not exist. */
      id: optional.text,
      /** The messages stored since `after`. */
      messages: stored,
      /** False if there are more messages than fit into one response: subscribe again with `after: cursor`. */
      live: Type.Boolean(),
      /** Events continue from here. */
      cursor: ref(RpcCursor),
      /** The run under way, and the numbers after which its events continue. */
      run: Type.Optional(Type.Object({ runId: text, seq: count, chatSeq: count })),
      /** How the cursor's run ended, if that is known. */
      ended: Type.Optional(Type.Object({ runId: text, outcome, error: optional.text })),
      permissions: Type.Array(ref(RpcPermissionRequest)),
    }),
  },
  "chat.unsubscribe": { params: ofSession, result: Type.Object({ unsubscribed: Type.Boolean() }) },
  "runs.list": { params: strict({}), result: Type.Object({ runs: Type.Array(run) }) },
  "models.list": { params: strict({}), result: Type.Object({ models: Type.Array(card) }) },
  "agents.list": {
    params: strict({}),
    result: Type.Object({ agents: Type.Array(Type.Object({ id: text, model: text, description: text })) }),
  },
  "dialects.list": {
    params: strict({}),
    result: Type.Object({
      dialects: Type.Array(
        Type.Object({
          name: text,
          title: text,
          kind: text,
          writes: Type.Boolean(),
          /** The extension of its files, without the dot. */
          extension: text,
        }),
      ),
    }),
  },
  "sources.list": {
    params: strict({}),
    /** The programs whose sessions this token may read. */
    result: Type.Object({ sources: Type.Array(Type.Object({ name: text, title: text })) }),
  },
  "programs.list": {
    params: strict({}),
    /** The programs that a session can be continued in. */
    result: Type.Object({ programs: Type.Array(Type.Object({ name: text, title: text })) }),
  },
  "tools.list": {
    params: strict({ agent }),
    result: Type.Object({
      tools: Type.Array(Type.Object({ name: text, description: text, parameters: Type.Unknown() })),
    }),
  },
  "usage.list": {
    params: strict({
      /** Default: `model`. */
      by: Type.Optional(oneOf(["day", "token", "agent", "model"])),
      /** Unix milliseconds; `until` is not included. */
      since: Type.Optional(Type.Number()),
      until: Type.Optional(Type.Number()),
    }),
    /** With scope `admin` that of all tokens, otherwise that of the client's own. */
    result: Type.Object({
      rows: Type.Array(
        Type.Object({
          /** A day (`2026-11-16`, UTC), a token's id or channel account, an agent or a model; empty for no agent. */
          name: text,
          /** The token's name. */
          title: optional.text,
          ...usageCounts,
        }),
      ),
      total: Type.Object(usageCounts),
      budgets: Type.Array(budget),
    }),
  },
  /** The MCP servers, of an agent or all. */
  "mcp.status": {
    params: strict({ agent }),
    result: Type.Object({ servers: Type.Array(serverStatus) }),
  },
  ...channelMethods,
  ...sessionMethods,
  ...transferMethods,
  ...permissionMethods,
  ...settingsMethods,
  ...linkMethods,
} satisfies Record<string, Shape>;
