import { methodNames } from "../../protocol/checks.js";
import type { MethodName } from "../../protocol/schema.js";
import { PROTOCOL } from "../../protocol/version.js";
import { includesScope } from "../auth/scope.js";
import { refuse } from "../refusals.js";
import type { Scope } from "../types.js";
import { channelMethods } from "./channel-methods.js";
import { agentMethods, chatMethods } from "./chat-methods.js";
import type { Method, Methods } from "./context.js";
import { findingMethods } from "./finding-methods.js";
import { MAX_BATCH } from "./json-rpc.js";
import { linkMethods } from "./link-methods.js";
import { listMethods } from "./list-methods.js";
import { permissionMethods } from "./permission-methods.js";
import { runMethods } from "./run-methods.js";
import { sessionMethods } from "./session-methods.js";
import { settingsMethods } from "./settings-methods.js";
import { isForShared } from "./shared-session.js";
import { EVENT_NAMES } from "./subscriber.js";
import { tailMethods } from "./tail-methods.js";
import { transferMethods } from "./transfer-methods.js";
import { usageMethods } from "./usage-methods.js";

/** The largest number of a client's requests that are served at the same time. */
export const MAX_IN_FLIGHT = 256;

const greetings: Methods<"connect" | "health"> = {
  async connect({ protocol = PROTOCOL }, { gateway, permit: { scope, session, isGateway = false } }) {
    if (protocol !== PROTOCOL) {
      throw refuse("invalid_request", `this gateway supports protocol ${PROTOCOL}, not ${protocol}`, {
        details: { supported: [PROTOCOL] },
      });
    }
    const { frameBytes, unreadBytes } = gateway.limits;
    return {
      protocol: PROTOCOL,
      server: { name: "dragoman" },
      scope,
      ...(session === undefined ? {} : { session }),
      methods: methodNames.filter(
        (name) =>
          includesScope(scope, scopes[name]) &&
          (isGateway || !(name in linkMethods)) &&
          (session === undefined || isForShared(name)),
      ),
      events: [...EVENT_NAMES, "session"],
      limits: { frameBytes, unreadBytes, batch: MAX_BATCH, inFlight: MAX_IN_FLIGHT },
    };
  },

  async health(_, { gateway }) {
    return { status: "ok", time: gateway.now() };
  },
};

export const handlers: { readonly [M in MethodName]: Method<M> } = {
  ...greetings,
  ...agentMethods,
  ...chatMethods,
  ...sessionMethods,
  ...findingMethods,
  ...transferMethods,
  ...tailMethods,
  ...runMethods,
  ...listMethods,
  ...channelMethods,
  ...settingsMethods,
  ...usageMethods,
  ...permissionMethods,
  ...linkMethods,
};

/** The scope that each method needs. */
export const scopes: { readonly [M in MethodName]: Scope } = {
  connect: "read",
  health: "read",
  agent: "chat",
  "agent.wait": "read",
  "chat.send": "chat",
  "chat.history": "read",
  "chat.abort": "chat",
  "chat.subscribe": "read",
  "chat.unsubscribe": "read",
  "sessions.list": "read",
  "runs.list": "read",
  "sessions.subscribe": "read",
  "sessions.get": "read",
  "sessions.create": "chat",
  "sessions.rename": "admin",
  "sessions.model": "read",
  "sessions.workspace": "admin",
  "sessions.mcpServers": "admin",
  "sessions.fork": "chat",
  "sessions.archive": "admin",
  "sessions.export": "read",
  "sessions.search": "read",
  "sessions.filters": "read",
  "sessions.branches": "read",
  "sessions.continue": "admin",
  "sessions.spending": "admin",
  "tail.open": "read",
  "tail.next": "read",
  "tail.close": "read",
  "sessions.compact": "admin",
  "sessions.stats": "read",
  "models.list": "read",
  "agents.list": "read",
  "dialects.list": "read",
  "tools.list": "read",
  "usage.list": "read",
  "mcp.status": "read",
  "channels.list": "read",
  "channels.status": "read",
  "permission.list": "read",
  "channels.people": "admin",
  "channels.approve": "admin",
  "channels.revoke": "admin",
  "permission.answer": "admin",
  "sources.list": "admin",
  "programs.list": "admin",
  "config.get": "admin",
  "config.set": "admin",
  "providers.list": "admin",
  "providers.test": "admin",
  "tokens.list": "admin",
  "tokens.create": "admin",
  "tokens.revoke": "admin",
  "link.deliver": "admin",
  "link.webhook": "admin",
};
