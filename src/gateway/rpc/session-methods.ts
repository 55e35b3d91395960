import { convertStream } from "../../convert/convert.js";
import { load } from "../../convert/detect.js";
import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import type { Loss } from "../../core/types.js";
import { type AgentFilter, HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
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
import type { IndexOptions } from "../../runtime/sources/readable-sessions.js";
import { waitingQuestions } from "../../runtime/waiting-questions.js";
import { agentFilter, mayUse } from "../auth/permit.js";
import { requireOffered } from "../offered-models.js";
import { readableSessions } from "../readable-sessions.js";
import { refuse } from "../refusals.js";
import { conversationNamed, nameOf } from "../session-name.js";
import type { Permit } from "../types.js";
import type { Context, Methods } from "./context.js";
import { sessionInfo } from "./session-feed.js";
import { type StoredTranscript, storedTranscript, summaryNamed } from "./stored-transcript.js";

const PAGE = 100;

export const sessionMethods: Methods<"sessions"> = {
  async "sessions.list"({ limit = PAGE, source, ...wishes }, context) {
    const { gateway, permit } = context;
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

  async "sessions.fork"({ sessionKey: name, messageId, idempotencyKey }, { gateway, sessionFeed, permit }) {
    const { session } = await conversationNamed(gateway.runtime, name, permit);
    const { agent = MAIN } = session.header;
    const key = idempotencyKey === undefined ? undefined : keyFor(agent, idempotencyKey);
    const forked = await fork(gateway.runtime.log, session, defined({ last: messageId, key }));
    await forked.close();
    sessionFeed.reportChange(forked.id);
    return sessionRef(forked);
  },

  async "sessions.archive"({ sessionKey: name, archived = true }, { gateway, permit }) {
    const conversation = await conversationNamed(gateway.runtime, name, permit);
    await conversation.describe({ archived });
    return { sessionKey: nameOf(conversation), archived };
  },

  async "sessions.export"({ sessionKey: name, source, dialect }, context) {
    const { gateway, permit } = context;
    const {
      dialect: from,
      bytes: stored,
      readable,
    } = source === undefined
      ? await storedTranscript(gateway.runtime, name, permit)
      : await transcriptIn(source, name, context);
    const losses: Loss[] = [];
    const onLoss = (loss: Loss) => losses.push(loss);
    const written =
      dialect === undefined ? stored() : convertStream(readable, { from, to: await load(dialect), onLoss });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of written) {
      bytes += chunk.length;
      if (bytes > gateway.limits.unreadBytes / 2) {
        throw refuse(
          "too_large",
          "the session is too large for one answer; read it with chat.history, or use `dragoman sessions export`",
        );
      }
      chunks.push(chunk);
    }
    return { dialect: dialect ?? from.name, text: Buffer.concat(chunks).toString("utf8"), losses };
  },

  async "sessions.search"({ query, source, ...filters }, context) {
    const { catalogue } = context.gateway.runtime;
    const filter = await indexedFilter(source, context);
    const { hits, ignored } = await catalogue.search(query, { ...filters, ...filter });
    const shown = hits.map(({ source: found, ...hit }) =>
      found === HOME_SOURCE ? hit : { ...hit, source: found },
    );
    return { hits: shown, ignored };
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

/** What a listing of a source's sessions is limited to, after indexing what is new in it. */
async function indexedFilter(
  source: string | undefined,
  { gateway, permit, signal }: Context,
): Promise<AgentFilter> {
  if (source !== undefined) return readableSessions(gateway, permit).indexed(source, quiet(signal));
  await gateway.runtime.catalogue.update();
  return agentFilter(permit);
}

function foundIn(
  source: string,
  name: string,
  { gateway, permit, signal }: Context,
): Promise<SessionSummary> {
  return readableSessions(gateway, permit).find(name, source, quiet(signal));
}

async function transcriptIn(source: string, name: string, context: Context): Promise<StoredTranscript> {
  const { gateway, permit } = context;
  const found = await foundIn(source, name, context);
  const { dialect, open } = await readableSessions(gateway, permit).bytesOf(found);
  return { dialect, bytes: open, readable: open };
}

function quiet(signal: AbortSignal): IndexOptions {
  return { signal, onProgress: () => undefined };
}

/** With the workspace, for a client that may know paths on the server. */
function infoFor(summary: SessionSummary, { agents }: Runtime, { scope }: Permit): RpcSessionInfo {
  const info = sessionInfo(summary);
  if (scope !== "admin" || !agents.ids.includes(summary.agent)) return info;
  // The folder of a foreign session is the one that its program recorded; a copy works in the agent's.
  const { folder: cwd } = summary.foreign ? {} : summary;
  return { ...info, workspace: agents.workspaceOf(summary.agent, defined({ cwd })) };
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
