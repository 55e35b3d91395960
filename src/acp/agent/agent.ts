import { isAbsolute } from "node:path";
import type { DragomanClient } from "../../client/client.js";
import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { isObject } from "../../core/json/value.js";
import type { SessionUpdate } from "../agent-messages.js";
import { acp } from "../checks.js";
import { CODES, PROTOCOL_VERSION } from "../codes.js";
import { Peer, RequestError } from "../peer.js";
import type { AcpNewSession, AcpOpenSession } from "../wire.js";
import { configOptions, MODEL } from "./config-options.js";
import { contentOf } from "./content.js";
import type { ElicitationModes } from "./elicitation.js";
import { listSessions } from "./list-sessions.js";
import { serversOf } from "./mcp-servers.js";
import { type Notice, otherFolder, unmetWishes } from "./notices.js";
import { Session } from "./session.js";

export interface AgentOptions {
  /** The agent that answers in new sessions. */
  agent: string;
  version: string;
  /** The connection to the sessions. Called again after a failure. */
  connect(): Promise<DragomanClient>;
  /** Writes one frame to the client, without the newline. */
  write(text: string): void;
  /** Fulfilled when the client has read enough of what was sent. */
  drained(): Promise<void>;
  /** Throws unless a session can work in the folder. */
  requireFolder(folder: string): Promise<void>;
  onProblem(text: string, error?: unknown): void;
}

/** An agent for clients of the Agent Client Protocol, version 1. */
export class AcpAgent {
  readonly #options: AgentOptions;
  readonly #peer: Peer;
  readonly #sessions = new Map<string, OpenSession>();
  #capabilities: ClientCapabilities = {
    notices: false,
    compaction: false,
    elicitation: { form: false, url: false },
  };
  #client: Promise<DragomanClient> | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#peer = new Peer({
      write: options.write,
      onRequest: (method, params, signal) => this.#handle(method, params, signal),
      onNotification: (method, params) => {
        if (method === "session/cancel") this.#cancel(params);
      },
      onProblem: options.onProblem,
    });
  }

  /** Processes a frame of the client. */
  receive(text: string): void {
    this.#peer.receive(text);
  }

  /** Nothing is sent any more. Runs are not stopped: another client may follow them. */
  async close(): Promise<void> {
    this.#peer.close();
    this.#sessions.clear();
    const client = await this.#client?.catch(() => undefined);
    client?.close();
  }

  async #handle(method: string, params: unknown, signal: AbortSignal): Promise<object> {
    switch (method) {
      case "initialize":
        return this.#initialize(parsed("AcpInitialize", params).clientCapabilities);
      case "authenticate":
        return {};
      case "session/new":
        return this.#new(parsed("AcpNewSession", params));
      case "session/load":
        return this.#open(parsed("AcpOpenSession", params), true);
      case "session/resume":
        return this.#open(parsed("AcpOpenSession", params), false);
      case "session/list":
        return listSessions(await this.#connected(), parsed("AcpListSessions", params));
      case "session/close":
        this.#closeSession(parsed("AcpSessionRef", params).sessionId);
        return {};
      case "session/set_config_option":
        return this.#configure(params);
      case "session/prompt":
        return this.#prompt(params, signal);
      default:
        throw new RequestError(CODES.noMethod, `Method not found: ${method}`);
    }
  }

  #initialize(given: unknown): object {
    const { session = {}, elicitation = {} } = isObject(given) ? given : {};
    this.#capabilities = {
      notices: declares(session, "notices"),
      compaction: declares(session, "compaction"),
      elicitation: { form: declares(elicitation, "form"), url: declares(elicitation, "url") },
    };
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "dragoman", title: "Dragoman", version: this.#options.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    };
  }

  async #new({ cwd, mcpServers = [], additionalDirectories }: AcpNewSession): Promise<object> {
    await this.#requireFolder(cwd);
    const client = await this.#connected();
    const { agent } = this.#options;
    const { agents } = await client.call("agents.list", {});
    const known = agents.find(({ id }) => id === agent);
    if (known === undefined)
      throw new RequestError(CODES.invalidParams, `there is no agent ${JSON.stringify(agent)}`);
    const id = `agent:${agent}:acp:dm:${newId().toLowerCase()}`;
    const { servers, unsupported } = serversOf(mcpServers, cwd);
    const open = this.#add(id, cwd, client, { model: known.model, isNew: true, isWhole: true, servers });
    open.session.follow(0);
    this.#notifyLater(open, unmetWishes(unsupported, additionalDirectories));
    return { sessionId: id, configOptions: await configOptions(client, known.model) };
  }

  async #open(params: AcpOpenSession, replays: boolean): Promise<object> {
    const { sessionId, cwd: wanted, mcpServers = [], additionalDirectories } = params;
    const client = await this.#connected();
    const { workspace: cwd } = await found(client.call("sessions.workspace", { sessionKey: sessionId }));
    const { model } = await client.call("sessions.model", { sessionKey: sessionId });
    this.#closeSession(sessionId);
    const { servers, unsupported } = serversOf(mcpServers, cwd);
    const open = this.#add(sessionId, cwd, client, { model, isNew: false, isWhole: replays, servers });
    await found(this.#attachServers(sessionId, servers));
    open.session.follow(replays ? await open.session.replay() : undefined);
    const notices = unmetWishes(unsupported, additionalDirectories);
    this.#notifyLater(open, cwd === wanted ? notices : [otherFolder(cwd, wanted), ...notices]);
    return { configOptions: await configOptions(client, model) };
  }

  /** Nothing to do for a client without servers. */
  async #attachServers(sessionKey: string, mcpServers: Servers): Promise<void> {
    if (Object.keys(mcpServers).length === 0) return;
    const client = await this.#connected();
    await client.call("sessions.mcpServers", { sessionKey, mcpServers });
  }

  #add(id: string, cwd: string, client: DragomanClient, settings: OpenSettings): OpenSession {
    const { drained, onProblem, agent } = this.#options;
    const { compaction: showsCompaction, elicitation } = this.#capabilities;
    const open: OpenSession = {
      ...settings,
      isChosen: false,
      notices: [],
      session: new Session({
        client,
        peer: this.#peer,
        id,
        cwd,
        showsCompaction,
        elicitation,
        isWhole: settings.isWhole,
        prepare: async () => {
          if (open.isNew) {
            const model = open.isChosen ? { model: open.model } : {};
            await client.call("sessions.create", { agent, key: id, workspace: cwd, ...model });
            open.isNew = false;
          }
          // A gateway stops them when the connection is lost; servers that still run are kept.
          await this.#attachServers(id, settings.servers);
        },
        drained,
        onProblem,
      }),
    };
    this.#sessions.set(id, open);
    return open;
  }

  async #prompt(params: unknown, signal: AbortSignal): Promise<object> {
    const { sessionId, prompt } = parsed("AcpPrompt", params);
    const { session, notices } = this.#session(sessionId);
    for (const { title, description } of notices.splice(0)) {
      const text = `${title}. ${description}\n\n`;
      session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    }
    signal.addEventListener("abort", () => session.cancel(), { once: true });
    const stopReason = await session.prompt(prompt.map(contentOf)).catch((error: unknown) => {
      throw refusalOf(error);
    });
    return { stopReason };
  }

  #cancel(params: unknown): void {
    const { sessionId } = parsed("AcpSessionRef", params);
    this.#sessions.get(sessionId)?.session.cancel();
  }

  async #configure(params: unknown): Promise<object> {
    const { sessionId, configId, value } = parsed("AcpSetConfigOption", params);
    const open = this.#session(sessionId);
    if (configId !== MODEL || typeof value !== "string") {
      throw new RequestError(CODES.invalidParams, `there is no option ${JSON.stringify(configId)}`);
    }
    const client = await this.#connected();
    const [known] = await configOptions(client, open.model);
    if (known?.options.some((option) => option.value === value) !== true) {
      throw new RequestError(CODES.invalidParams, `there is no model ${JSON.stringify(value)}`);
    }
    if (!open.isNew) await found(client.call("sessions.model", { sessionKey: sessionId, model: value }));
    open.model = value;
    open.isChosen = true;
    return { configOptions: await configOptions(client, value) };
  }

  #session(id: string): OpenSession {
    const open = this.#sessions.get(id);
    if (open !== undefined) return open;
    throw new RequestError(CODES.notFound, `session ${JSON.stringify(id)} is not open`, {
      hint: "call session/new, session/load or session/resume first",
    });
  }

  #closeSession(id: string): void {
    const open = this.#sessions.get(id);
    if (open === undefined) return;
    open.session.close();
    this.#sessions.delete(id);
    if (open.isNew || Object.keys(open.servers).length === 0) return;
    this.#connected()
      .then((client) => client.call("sessions.mcpServers", { sessionKey: id, mcpServers: {} }))
      .catch((error: unknown) => this.#options.onProblem("could not stop the editor's MCP servers", error));
  }

  /** After the response, which tells the client the session's id. A client without notices gets them with the first answer. */
  #notifyLater(open: OpenSession, notices: readonly Notice[]): void {
    for (const { title, description } of notices) this.#options.onProblem(`${title}. ${description}`);
    if (!this.#capabilities.notices) {
      open.notices.push(...notices);
      return;
    }
    setImmediate(() => {
      for (const notice of notices) {
        open.session.update({ sessionUpdate: "notice", severity: "warning", ...notice });
      }
    });
  }

  async #requireFolder(folder: string): Promise<void> {
    if (!isAbsolute(folder)) throw new RequestError(CODES.invalidParams, "cwd must be an absolute path");
    try {
      await this.#options.requireFolder(folder);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      throw new RequestError(CODES.invalidParams, error.message, { code: error.code, hint: error.hint });
    }
  }

  #connected(): Promise<DragomanClient> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<DragomanClient> {
    const client = await this.#options.connect();
    this.#reportTitles(client).catch((error: unknown) =>
      this.#options.onProblem("could not follow the list of sessions", error),
    );
    return client;
  }

  async #reportTitles(client: DragomanClient): Promise<void> {
    for await (const event of client.sessions()) {
      if (event.type !== "session") continue;
      const { sessionKey, title, active } = event.session;
      const session = this.#sessions.get(sessionKey)?.session;
      if (session === undefined || title === undefined || title === session.title) continue;
      session.title = title;
      const updatedAt = active === undefined ? {} : { updatedAt: new Date(active).toISOString() };
      const update: SessionUpdate = { sessionUpdate: "session_info_update", title, ...updatedAt };
      session.update(update);
    }
  }
}

/** What the client can show. */
interface ClientCapabilities {
  notices: boolean;
  compaction: boolean;
  elicitation: ElicitationModes;
}

type Servers = ReturnType<typeof serversOf>["servers"];

interface OpenSettings {
  model: string;
  /** Whether it does not exist on the server yet: a session without messages leaves no trace. */
  isNew: boolean;
  isWhole: boolean;
  /** The client's MCP servers. */
  servers: Servers;
}

interface OpenSession extends OpenSettings {
  session: Session;
  /** Whether the client has chosen the model. */
  isChosen: boolean;
  /** Notices for the first answer. */
  notices: Notice[];
}

/** Whether a client's capabilities have the field as an object, even an empty one. */
function declares(capabilities: unknown, name: string): boolean {
  return isObject(capabilities) && isObject(capabilities[name]);
}

function parsed<N extends Parameters<typeof acp.parse>[0]>(name: N, params: unknown) {
  try {
    return acp.parse(name, params);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new RequestError(CODES.invalidParams, `Invalid params: ${error.message}`, { at: error.at });
  }
}

/** A call about a session that the client named. */
async function found<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw refusalOf(error);
  });
}

/** The server's refusal, with its code if the protocol has the same. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof DragomanError) || error.code !== "client/refused") return error;
  const { code, data } = error.details ?? {};
  const known = code === CODES.notFound || code === CODES.invalidParams ? code : CODES.internal;
  return new RequestError(known, error.message, data);
}
