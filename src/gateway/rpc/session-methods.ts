import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import { noteMessage } from "../../core/message/notes.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import { agentOf, canonicalKey, sessionKey } from "../../log/key.js";
import { noSession } from "../../log/refusals.js";
import type { SessionLog } from "../../log/types.js";
import type { Params, Result, RpcSessionInfo } from "../../protocol/schema.js";
import { MAIN } from "../../runtime/agents.js";
import { fork } from "../../runtime/copy.js";
import { checkAccess } from "../../runtime/model-access.js";
import { notOurs } from "../../runtime/not-ours.js";
import type { Runtime } from "../../runtime/runtime.js";
import { requireFolder } from "../../runtime/session-folder.js";
import { waitingQuestions } from "../../runtime/waiting-questions.js";
import { agentFilter, mayUse } from "../auth/permit.js";
import { requireOffered } from "../offered-models.js";
import { refuse } from "../refusals.js";
import { conversationNamed, nameOf } from "../session-name.js";
import type { Permit } from "../types.js";
import type { Methods } from "./context.js";
import type { findingMethods } from "./finding-methods.js";
import { sessionInfo } from "./session-feed.js";
import { foundIn, indexedFilter, requireAdmin, summaryNamed } from "./stored-transcript.js";
import type { transferMethods } from "./transfer-methods.js";

const PAGE = 100;

type ElsewhereDefined = keyof typeof findingMethods | keyof typeof transferMethods;

export const sessionMethods: Omit<Methods<"sessions">, ElsewhereDefined> = {
  async "sessions.list"({ limit = PAGE, source, ...wishes }, context) {
    const { gateway, permit } = context;
    if (wishes.folder !== undefined) requireAdmin(permit);
    const { catalogue } = gateway.runtime;
    const filter = await indexedFilter(source, context);
    const found = await catalogue.list({ ...wishes, ...filter, limit: limit + 1 });
    const sessions = found.slice(0, limit);
    const last = sessions.at(-1);
    const waiting = (await waitingQuestions(gateway.runtime)).filter(({ conversation }) =>
      mayUse(permit, conversation.session.header.agent),
    );
    const running = gateway.runtime.running().filter(({ session }) => mayUse(permit, session.header.agent));
    return {
      sessions: sessions.map((session) => infoFor(session, gateway.runtime, permit)),
      ...(found.length > limit && last !== undefined ? { next: last.id } : {}),
      busy: running.map(({ session }) => session.id),
      asking: [...new Set(waiting.map(({ conversation }) => conversation.session.id))],
    };
  },

  async "sessions.subscribe"(_, { subscribeToSessions }) {
    subscribeToSessions();
    return { subscribed: true };
  },

  async "sessions.get"({ sessionKey: name, source }, context) {
    const { gateway, permit } = context;
    const found =
      source === undefined
        ? await summaryNamed(gateway.runtime, name, permit)
        : await foundIn(source, name, context);
    const busy = gateway.runtime.running().some(({ session }) => session.id === found.id);
    return { session: infoFor(found, gateway.runtime, permit), busy };
  },

  async "sessions.create"(params, { gateway: { runtime }, permit }) {
    const { agent = MAIN, key, title, model, workspace: cwd, idempotencyKey } = params;
    for (const used of [agent, ...(key === undefined ? [] : [agentOf(canonicalKey(key))])]) {
      if (!runtime.agents.ids.includes(agent) || !mayUse(permit, used)) {
        throw refuse("not_found", `there is no agent ${JSON.stringify(used)}`);
      }
    }
    if (model !== undefined) {
      requireOffered(runtime, permit, model);
      requireAccess(model, runtime, agent);
    }
    const name = key ?? (idempotencyKey === undefined ? undefined : keyFor(agent, idempotencyKey));
    if (cwd !== undefined) {
      if (permit.scope !== "admin") throw refuse("forbidden", 'choosing a workspace needs the scope "admin"');
      await requireFolder(cwd);
    }
    const meta = defined({ model, cwd });
    const hasMeta = Object.keys(meta).length > 0;
    const { session } = await runtime.begin(
      defined({ agent, key: name, title, ...(hasMeta ? { meta } : {}) }),
    );
    if (!mayUse(permit, session.header.agent)) throw noSession(session.header.key ?? session.id);
    return sessionRef(session);
  },

  async "sessions.rename"({ sessionKey: name, title }, { gateway, permit }) {
    const conversation = await conversationNamed(gateway.runtime, name, permit);
    await conversation.describe({ title });
    return { sessionKey: nameOf(conversation), title };
  },

  async "sessions.model"({ sessionKey: name, model }, { gateway: { runtime }, permit }) {
    if (model !== undefined && permit.scope !== "admin") {
      throw refuse("forbidden", 'choosing a model needs the scope "admin"');
    }
    const conversation = await conversationNamed(runtime, name, permit);
    const sessionKey = nameOf(conversation);
    if (model === undefined) {
      const { agent = MAIN } = conversation.session.header;
      return { sessionKey, model: runtime.agents.modelOf(agent, await conversation.meta()) };
    }
    requireAccess(model, runtime, conversation.session.header.agent ?? MAIN);
    await conversation.describe({ model });
    return { sessionKey, model };
  },

  async "sessions.workspace"({ sessionKey: name, workspace: cwd }, { gateway: { runtime }, permit }) {
    const conversation = await conversationNamed(runtime, name, permit);
    if (cwd !== undefined) {
      await requireFolder(cwd);
      await conversation.describe({ cwd });
    }
    const { agent = MAIN } = conversation.session.header;
    const workspace = runtime.agents.workspaceOf(agent, await conversation.meta());
    return { sessionKey: nameOf(conversation), workspace };
  },

  async "sessions.mcpServers"({ sessionKey: name, mcpServers }, { gateway, servers, permit }) {
    const conversation = await conversationNamed(gateway.runtime, name, permit);
    requireAddresses(mcpServers);
    await servers.replace(conversation.session.id, mcpServers);
    return { sessionKey: nameOf(conversation), servers: Object.keys(mcpServers) };
  },

  async "sessions.fork"({ sessionKey: name, messageId, model, idempotencyKey }, context) {
    const { gateway, sessionFeed, permit } = context;
    const { session } = await conversationNamed(gateway.runtime, name, permit);
    const { agent = MAIN } = session.header;
    if (model !== undefined) {
      requireOffered(gateway.runtime, permit, model);
      requireAccess(model, gateway.runtime, agent);
    }
    const key = idempotencyKey === undefined ? undefined : keyFor(agent, idempotencyKey);
    const after =
      model === undefined
        ? undefined
        : [noteMessage({ type: "dragoman/meta", data: { model } }, gateway.now())];
    const forked = await fork(gateway.runtime.log, session, defined({ last: messageId, key, after }));
    await forked.close();
    sessionFeed.reportChange(forked.id);
    return sessionRef(forked);
  },

  async "sessions.archive"({ sessionKey: name, archived = true }, { gateway, permit }) {
    const conversation = await conversationNamed(gateway.runtime, name, permit);
    await conversation.describe({ archived });
    return { sessionKey: nameOf(conversation), archived };
  },

  async "sessions.compact"({ sessionKey: name }, { gateway, permit, signal }) {
    const conversation = await conversationNamed(gateway.runtime, name, permit);
    if (conversation.busy) throw refuse("conflict", "the session is busy; wait until its run has ended");
    return { compacted: await conversation.compact(signal) };
  },

  async "sessions.stats"(_, { gateway, permit }) {
    const { catalogue } = gateway.runtime;
    await catalogue.update();
    return catalogue.stats(agentFilter(permit));
  },
};

/** With the workspace, for a client that may know paths on the server. */
function infoFor(summary: SessionSummary, { agents }: Runtime, { scope }: Permit): RpcSessionInfo {
  const info = sessionInfo(summary);
  if (scope !== "admin") return info;
  // The folder of a foreign session is the one that its program recorded; a copy works in the agent's.
  const { folder, foreign } = summary;
  const recorded = { ...info, ...(foreign ? defined({ folder }) : {}) };
  if (!agents.ids.includes(summary.agent)) return recorded;
  return {
    ...recorded,
    workspace: agents.workspaceOf(summary.agent, foreign ? {} : defined({ cwd: folder })),
  };
}

/** The key of a session created or forked with an idempotency key, so that repeating the request finds it. */
function keyFor(agent: string, idempotencyKey: string): string {
  return sessionKey({ agent, channel: "rpc", kind: "dm", peer: idempotencyKey });
}

function sessionRef({ id, header }: SessionLog): Result<"sessions.create"> {
  return { sessionKey: header.key ?? id, id };
}

function requireAddresses(servers: Params<"sessions.mcpServers">["mcpServers"]): void {
  for (const [name, { command, url }] of Object.entries(servers)) {
    if ((command === undefined) === (url === undefined)) {
      throw refuse(
        "invalid_request",
        `the MCP server ${JSON.stringify(name)} needs either a command or a url`,
      );
    }
  }
}

/** Refuses a model that cannot answer when it is chosen, rather than when it is used. */
function requireAccess(model: string, runtime: Runtime, agent: string): void {
  if (runtime.agents.isProgram(agent)) throw notOurs(agent, "it chooses its model itself");
  try {
    checkAccess(model, runtime, process.env);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { code, hint } = error;
    throw refuse("invalid_request", error.message, { details: { code, hint } });
  }
}
