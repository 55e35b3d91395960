import { matches } from "../../agent/command-rules.js";
import type { Tool } from "../../agent/types.js";
import { untilAborted } from "../../core/async/until-aborted.js";
import { DragomanError } from "../../core/error.js";
import type { McpAgentServersConfig, McpServerSettings, McpServersConfig } from "../settings.js";
import type { McpTool } from "../wire.js";
import { openableServer, type Surroundings } from "./open-server.js";
import { ServerLink, type ServerState } from "./server-link.js";
import { type AskFor, serverTool } from "./server-tool.js";
import { ruleName } from "./tool-names.js";

export interface ServersOptions extends Surroundings {
  servers: McpServersConfig;
  /** The servers of each agent. */
  agents: Readonly<Record<string, McpAgentServersConfig | undefined>>;
  /** A line for the log, from a server or about it. */
  onLine?(server: string, line: string): void;
  /** The state of a server has changed. */
  onState?(status: ServerStatus): void;
}

/** The state of a server, without anything secret. */
export interface ServerStatus {
  name: string;
  /** The agent that it is configured for (default: all). */
  agent?: string;
  kind: "stdio" | "http";
  state: ServerState | "disabled";
  /** Why it is not ready. */
  why?: string;
  era?: "modern" | "legacy";
  /** The version of the protocol. */
  version?: string;
  /** The server's own name and version. */
  server?: string;
  /** The names of its tools, as in rules: `name/tool`. */
  tools: readonly string[];
}

interface Entry {
  name: string;
  agent?: string;
  settings: McpServerSettings;
  link: ServerLink;
}

/** How long a run waits for servers that are starting. */
const PATIENCE_MS = 10_000;

/** The servers of a configuration. Each is started once and shared by all sessions. */
export class McpServers {
  readonly #options: ServersOptions;
  readonly #entries: readonly Entry[];
  #starting: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(options: ServersOptions) {
    this.#options = options;
    const all = Object.entries(options.servers).map(([name, settings]) => this.#entry(name, settings));
    const own = Object.entries(options.agents).flatMap(([agent, servers = {}]) =>
      Object.entries(servers).flatMap(([name, settings]) =>
        settings === false ? [] : [this.#entry(name, settings, agent)],
      ),
    );
    this.#entries = [...all, ...own].toSorted(byName);
  }

  /** Starts all servers. Fulfilled when each is ready or has failed once. */
  start(): Promise<unknown> {
    this.#starting ??= Promise.all(
      this.#entries.filter(({ settings }) => settings.disabled !== true).map(({ link }) => link.start()),
    );
    return this.#starting;
  }

  /** An agent's tools. Waits a while for servers that are starting; a server that is late has no tools in this run. */
  async toolsFor(agent: string, askFor?: AskFor): Promise<Tool[]> {
    await this.#settled();
    const tools = new Map<string, Tool>();
    for (const { name, settings, link } of this.#of(agent)) {
      for (const tool of link.tools.filter((known) => isUsed(known, settings))) {
        const { timeoutSeconds } = settings;
        const made = serverTool(tool, { server: name, link, timeoutSeconds, askFor });
        if (tools.has(made.name))
          this.#options.onLine?.(name, `the tool ${JSON.stringify(tool.name)} exists twice`);
        else tools.set(made.name, made);
      }
    }
    return [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The state of every server, or of an agent's. */
  status(agent?: string): ServerStatus[] {
    const entries = agent === undefined ? this.#entries : this.#of(agent);
    return entries.map(statusOf);
  }

  /** A server of an agent, by name. */
  link(agent: string, name: string): ServerLink {
    const entry = this.#of(agent).find((known) => known.name === name);
    if (entry !== undefined) return entry.link;
    const names = this.#of(agent).map((known) => known.name);
    throw new DragomanError("mcp/no-server", `there is no MCP server ${JSON.stringify(name)}`, {
      hint: names.length === 0 ? "add one to `mcpServers`" : `the servers are ${names.join(", ")}`,
    });
  }

  /** The names of an agent's servers. */
  namesFor(agent: string): string[] {
    return this.#of(agent).map(({ name }) => name);
  }

  /** Stops all servers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#entries.map(({ link }) => link.close()));
  }

  /** An agent's own server replaces the one of all agents with the same name. */
  #of(agent: string): Entry[] {
    const own = this.#options.agents[agent] ?? {};
    return this.#entries.filter((entry) => {
      if (entry.settings.disabled === true) return false;
      return entry.agent === undefined ? !Object.hasOwn(own, entry.name) : entry.agent === agent;
    });
  }

  async #settled(): Promise<void> {
    const enough = new AbortController();
    const timer = setTimeout(() => enough.abort(), PATIENCE_MS);
    try {
      await untilAborted(this.start(), enough.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #entry(name: string, settings: McpServerSettings, agent?: string): Entry {
    const options = this.#options;
    const link = new ServerLink({
      settings,
      prepare: () => openableServer(name, settings, options),
      onLine: (line) => options.onLine?.(name, line),
      onChange: () => {
        if (!this.#isClosed) options.onState?.(statusOf(entry));
      },
    });
    const entry = { name, settings, link, ...(agent === undefined ? {} : { agent }) };
    return entry;
  }
}

function byName(a: Entry, b: Entry): number {
  return `${a.name}\0${a.agent ?? ""}` < `${b.name}\0${b.agent ?? ""}` ? -1 : 1;
}

function isUsed({ name }: McpTool, { enabledTools, disabledTools = [] }: McpServerSettings): boolean {
  const isEnabled = enabledTools === undefined || enabledTools.some((pattern) => matches(pattern, name));
  return isEnabled && !disabledTools.some((pattern) => matches(pattern, name));
}

function statusOf({ name, agent, settings, link }: Entry): ServerStatus {
  const { agreement, why } = link;
  const { server } = agreement ?? {};
  return {
    name,
    ...(agent === undefined ? {} : { agent }),
    kind: link.kind,
    state: settings.disabled === true ? "disabled" : link.state,
    ...(why === undefined ? {} : { why }),
    ...(agreement === undefined ? {} : { era: agreement.era, version: agreement.version }),
    ...(server === undefined ? {} : { server: `${server.name} ${server.version}` }),
    tools: link.tools
      .filter((tool) => isUsed(tool, settings))
      .map((tool) => ruleName(name, tool.name))
      .toSorted(),
  };
}
