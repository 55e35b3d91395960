import type { Tool } from "../agent/types.js";
import { wordsOf } from "../core/error.js";
import { defined } from "../core/json/defined.js";
import type { LossRecord, SessionMeta } from "../core/message/notes.js";
import type { UserMessage } from "../core/types.js";
import type { Catalogue } from "../log/catalogue/types.js";
import { canonicalKey } from "../log/key.js";
import type { Store } from "../log/store.js";
import type { Log, NewSession, SessionLog } from "../log/types.js";
import type { McpServers, ServerStatus } from "../mcp/client/servers.js";
import type { Fallback } from "../providers/ask-in-turn.js";
import type { ConnectOptions } from "../providers/connect.js";
import { world as realWorld, type World } from "../providers/world.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import { type Agents, agentsOf, MAIN } from "./agents.js";
import { Conversation } from "./conversation.js";
import type { Owners } from "./elsewhere/owner.js";
import { acquireLease, isPinnedElsewhere, pinnedElsewhere } from "./elsewhere/pinned.js";
import { continueForeign } from "./foreign.js";
import { InterruptedRuns } from "./interrupted-runs.js";
import { LocalModels } from "./local-models.js";
import { hasServers, openServers, serverSettings } from "./mcp-servers.js";
import { type CallWatch, type Connect, connector } from "./models.js";
import { OpenConversations } from "./open-conversations.js";
import { ProgramAgents, type StartProgram } from "./program-agents.js";
import { questionExpiryMs } from "./question-expiry.js";
import type { Config } from "./schema.js";
import { serverTools } from "./server-tools.js";
import { SessionServers } from "./session-servers.js";
import { openHomeStore } from "./sessions.js";
import { type SubAgentHost, subAgentTools } from "./sub-agents.js";
import type { AgentSetup } from "./types.js";
import { UsageLedger } from "./usage/ledger.js";
import { LOCAL } from "./usage/record.js";
import { SessionView, viewPath } from "./views.js";

export interface RuntimeOptions {
  home: string;
  config: Config;
  /** Where sessions and everything else durable is kept (default: the files in `home`). The runtime closes it. */
  store?: Store;
  /** Clock, network and environment of the models, for tests. */
  models?: Pick<ConnectOptions, "fetch" | "world">;
  /** Starts the programs that are agents, for tests. */
  startProgram?: StartProgram;
  /**
   * Whether permission requests wait for an answer while no approver watches the session (default: false, such calls are
   * refused): for a gateway, whose clients come and go.
   */
  waitsForAnswers?: boolean;
  /** Exports traces and metrics (default: none are). The runtime closes it. */
  telemetry?: Telemetry | undefined;
  /** Called with messages for the user that need no action. */
  onNote?: (text: string) => void;
  /** Called with lines for the log from or about an MCP server, such as its standard error. */
  onServerLine?: (server: string, line: string) => void;
}

/**
 * A home's agents and sessions, and the conversations that are open in this process.
 *
 * @example
 * const runtime = new Runtime({ home, config: await readConfig(home, process.env) });
 * const conversation = await runtime.begin({ key: "agent:main:main" });
 */
export class Runtime {
  readonly home: string;
  readonly store: Store;
  /** The agents that are programs of their own. */
  readonly programs: ProgramAgents;
  /** Without a meter, the model's calls count as `local`. */
  readonly connect: Connect;
  /** What all calls use, and the budgets. */
  readonly usage: UsageLedger;
  /** Traces and metrics, if they are exported. */
  readonly telemetry: Telemetry | undefined;
  /** Clock, network and environment of the models. */
  readonly world: World;
  readonly localModels: LocalModels;
  /** The gateways that share the store, for conversations that are opened from now on. Set by the one that joins them. */
  owners: Owners | undefined;
  /** The MCP servers that clients bring for single sessions. */
  readonly sessionServers: SessionServers;
  readonly #conversations = new OpenConversations({
    create: (session) => this.#createConversation(session),
    onNote: (text) => this.#onNote?.(text),
  });
  readonly #waitsForAnswers: boolean;
  readonly #onNote: RuntimeOptions["onNote"];
  readonly #listeners = new Set<(conversation: Conversation) => void>();
  readonly #lossListeners = new Set<(record: LossRecord) => void>();
  readonly #fallbackListeners = new Set<(fallback: Fallback) => void>();
  readonly #depths = new Map<string, number>();
  readonly #onServerLine: RuntimeOptions["onServerLine"];
  readonly #models: RuntimeOptions["models"];
  #config: Config;
  #connect: Connect;
  #agents: Agents;
  #servers: Promise<McpServers> | undefined;

  constructor({
    home,
    config,
    models,
    onNote,
    onServerLine,
    startProgram,
    waitsForAnswers = false,
    telemetry,
    store = openHomeStore(home, onNote),
  }: RuntimeOptions) {
    this.home = home;
    this.#onNote = onNote;
    this.#waitsForAnswers = waitsForAnswers;
    this.telemetry = telemetry;
    this.#onServerLine = onServerLine;
    this.#config = config;
    this.#models = models;
    const onLine = (name: string, line: string) => onServerLine?.(name, line);
    this.sessionServers = new SessionServers({
      home,
      onLine,
      onState: (status) => this.#onServerState(status),
    });
    this.store = store;
    const { fetch, world } = models ?? {};
    this.world = { ...realWorld, ...(fetch === undefined ? {} : { fetch }), ...world };
    this.localModels = new LocalModels(this.world);
    this.programs = new ProgramAgents({
      config: () => this.config,
      home,
      env: (name) => this.world.env(name),
      onLine,
      start: startProgram,
    });
    this.usage = new UsageLedger({
      store,
      now: () => this.world.now(),
      onNote: (text) => onNote?.(text),
    });
    this.#connect = this.#connector(config);
    const local: CallWatch = {
      meter: this.usage.meter(() => ({ token: LOCAL })),
      observer: telemetry?.observer(() => ({ parent: undefined })),
    };
    this.connect = (name, watch) => this.#connect(name, { ...local, ...watch });
    this.#agents = agentsOf(config, home, this.connect);
  }

  get config(): Config {
    return this.#config;
  }

  get agents(): Agents {
    return this.#agents;
  }

  /**
   * Replaces the configuration. Runs in progress end as they began; the next ones use it. Settings of the gateway itself, views
   * and programs that are running are not affected.
   */
  async reconfigure(config: Config): Promise<void> {
    const hasOtherServers = serverSettings(config) !== serverSettings(this.#config);
    this.#config = config;
    this.#connect = this.#connector(config);
    this.#agents = agentsOf(config, this.home, this.connect);
    if (!hasOtherServers) return;
    const before = this.#servers;
    this.#servers = undefined;
    await (await before)?.close();
  }

  #connector(config: Config): Connect {
    return connector(config, this.#models, (fallback) => {
      for (const listener of this.#fallbackListeners) listener(fallback);
    });
  }

  get log(): Log {
    return this.store.log;
  }

  get catalogue(): Catalogue {
    return this.store.catalogue;
  }

  /** A session's conversation; the same object for every caller in this process. */
  async open(id: string): Promise<Conversation> {
    await this.#conversations.closeLost(id);
    return this.#conversations.share(id, () => this.log.open(id));
  }

  /** The conversation that a key stands for, or a new one without a key. */
  async begin({ agent = MAIN, key, ...session }: Partial<NewSession>): Promise<Conversation> {
    if (key === undefined) return this.#join(await this.log.create({ agent, ...session }));
    const known = await this.log.find(canonicalKey(key));
    if (known === undefined) return this.#join(await this.#createKey({ agent, key, ...session }));
    if (this.#conversations.has(known)) return this.open(known);
    return this.#join(await this.log.open(known));
  }

  /** A new conversation that no client is told of before its first message is stored: only then does it survive for certain. */
  async beginAsked(session: Omit<NewSession, "key">): Promise<Conversation> {
    return this.#join(await this.log.begin(session));
  }

  /** The conversation that continues a foreign session, by its id or key; undefined if there is none. */
  async continueForeign(name: string): Promise<Conversation | undefined> {
    const foreign = await this.log.findForeign(name);
    return foreign && this.#join(await continueForeign(this.log, foreign));
  }

  /** A key of a foreign session continues that session. */
  async #createKey(session: NewSession & { key: string }): Promise<SessionLog> {
    const foreign = await this.log.findForeign(canonicalKey(session.key));
    return foreign === undefined ? this.log.openOrCreate(session) : continueForeign(this.log, foreign);
  }

  async #join(log: SessionLog): Promise<Conversation> {
    const conversation = await this.#conversations.share(log.id, async () => log);
    // The conversation was already open, so this second log is not needed.
    if (conversation.session !== log) await log.close();
    else this.#emitChange(conversation);
    return conversation;
  }

  /** Calls back for every conversation here that begins or changes. Returns a function that unsubscribes. */
  watch(listener: (conversation: Conversation) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back with every loss of a translation here, for counting. Returns a function that unsubscribes. */
  watchLosses(listener: (record: LossRecord) => void): () => void {
    this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  }

  /** Calls back when a request moves from one model to another. Returns a function that unsubscribes. */
  watchFallbacks(listener: (fallback: Fallback) => void): () => void {
    this.#fallbackListeners.add(listener);
    return () => this.#fallbackListeners.delete(listener);
  }

  /** Resumes the runs that dead processes have left. Fulfilled when all of them are in progress. */
  async resume(): Promise<Conversation[]> {
    return this.#interruptedRuns().resumeAll();
  }

  /** From now on, resumes runs that another process leaves as soon as their leases are free. Returns a function that stops it. */
  keepResuming(
    onResumed: (conversation: Conversation) => void,
    onError: (error: unknown) => void,
  ): () => void {
    return this.#interruptedRuns().watch(onResumed, onError);
  }

  /** The MCP servers, which the first call starts; undefined if none are configured. */
  async mcpServers(): Promise<McpServers | undefined> {
    if (!hasServers(this.config)) return undefined;
    this.#servers ??= openServers(this.config, {
      home: this.home,
      env: (name) => this.world.env(name),
      onLine: (server, line) => this.#onServerLine?.(server, line),
      onState: (status) => this.#onServerState(status),
    });
    const servers = await this.#servers;
    void servers.start();
    return servers;
  }

  /**
   * A message with what its text names of the agent's MCP servers: `@server:uri` and `/server:prompt`. For messages of people
   * who may use the agent as its owner does; what others write stays as it is.
   */
  async expandMentions(agent: string, message: UserMessage): Promise<UserMessage> {
    const { content } = message;
    if (typeof content !== "string" || !/[@/][\w.-]+:/.test(content)) return message;
    const servers = await this.mcpServers();
    if (servers === undefined) return message;
    const { expandText } = await import("../mcp/client/mentions.js");
    const expanded = await expandText(servers, agent, content);
    return expanded === undefined ? message : { ...message, content: expanded };
  }

  /** An agent's tools, in the order in which models are shown them. */
  async toolsOf(agent: string): Promise<readonly Tool[]> {
    const more = await serverTools(agent, await this.mcpServers(), this.sessionServers);
    const { tools } = await this.agents.setup(agent, {}, more);
    return tools;
  }

  /** The conversations with a run in progress. */
  running(): Conversation[] {
    return this.#conversations.running();
  }

  /** Aborts all runs, and waits until they have ended. */
  async close(): Promise<void> {
    const failures = await this.#conversations.close();
    await (await this.#servers)?.close();
    await this.sessionServers.close();
    await this.programs.close();
    await this.usage.close();
    await this.store.close();
    await this.telemetry?.close();
    for (const failure of failures) throw failure;
  }

  #interruptedRuns(): InterruptedRuns {
    return new InterruptedRuns({
      store: this.store,
      isBusy: (id) => this.#conversations.isBusy(id),
      open: (id) => this.open(id),
      isElsewhere: (id) => isPinnedElsewhere(id, this),
      onFailure: (id, error) => this.#onFailure(id, error),
    });
  }

  #onFailure(session: string, error: unknown): void {
    this.#onNote?.(`session ${session}: ${wordsOf(error)}`);
  }

  #emitChange(conversation: Conversation): void {
    for (const listener of this.#listeners) listener(conversation);
  }

  #createConversation(session: SessionLog): Conversation {
    const { agent = MAIN } = session.header;
    const views = (this.config.views ?? []).map((dialect) => {
      const path = viewPath(this.home, dialect, session.header, session.id);
      return { dialect, view: new SessionView(dialect, path, this.home) };
    });
    const conversation = new Conversation({
      session,
      mark: (lease) => this.store.mark(session.id, lease),
      questions: {
        waits: this.#waitsForAnswers,
        expireAfterMs: questionExpiryMs(this.config, session.header.key),
        now: () => this.world.now(),
      },
      setup: (meta, conversation) => this.#setup(agent, meta, conversation),
      telemetry: this.telemetry,
      lease: (onWait, signal) => acquireLease(session, this, onWait, signal),
      owners: this.owners,
      pinned: () => pinnedElsewhere(agent, this),
      onRead: (conversation) => this.#conversations.markLoaded(conversation),
      onFailure: (error) => this.#onFailure(session.id, error),
      onChange: (conversation) => this.#emitChange(conversation),
      onLosses: (record) => {
        for (const listener of this.#lossListeners) listener(record);
      },
      onRunEnd: async (messages, systemPrompt) => {
        // The index is derived, so a failed update is only reported.
        this.catalogue.indexSoon(session.id).catch((error: Error) => this.#onNote?.(error.message));
        for (const { dialect, view } of views) {
          await conversation.recordLosses("view", dialect, await view.write(messages, systemPrompt));
        }
      },
    });
    return conversation;
  }

  async #setup(agent: string, meta: SessionMeta, conversation: Conversation): Promise<AgentSetup> {
    const workspace = this.agents.workspaceOf(agent, meta);
    const runner = this.programs.runnerOf(agent, meta, conversation, workspace);
    const tools =
      runner === undefined
        ? [
            ...(await subAgentTools(agent, conversation, this.#subAgentHost)),
            ...(await serverTools(agent, await this.mcpServers(), this.sessionServers, conversation)),
          ]
        : [];
    const origin = () => ({ parent: conversation.trace, agent, session: conversation.session.id });
    const setup = await this.agents.setup(agent, meta, tools, {
      meter: this.usage.meter(() => ({ token: conversation.payer, agent })),
      ...defined({ observer: this.telemetry?.observer(origin) }),
    });
    return { ...setup, tools: this.telemetry?.traceTools(setup.tools, origin) ?? setup.tools, ...runner };
  }

  #onServerState({ name, state, why }: ServerStatus): void {
    if (why !== undefined) this.#onNote?.(`MCP server ${name} is not available: ${why}`);
    else this.#onServerLine?.(name, state);
  }

  get #subAgentHost(): SubAgentHost {
    return {
      agents: this.agents,
      begin: (session) => this.begin(session),
      depthOf: (session) => this.#depths.get(session) ?? 0,
      setDepth: (session, depth) => this.#depths.set(session, depth),
    };
  }
}
