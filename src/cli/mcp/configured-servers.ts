import { DragomanError } from "../../core/error.js";
import type { McpServers, ServerStatus } from "../../mcp/client/servers.js";
import type { McpServerSettings } from "../../mcp/settings.js";
import { world } from "../../providers/world.js";
import { openServers } from "../../runtime/mcp-servers.js";
import type { Config } from "../../runtime/schema.js";
import { reportLine } from "../terminal/report-line.js";
import { shownLine } from "../terminal/shown-text.js";

export interface ConfiguredServer {
  name: string;
  /** The agent that it is configured for (default: all). */
  agent?: string;
  settings: McpServerSettings;
}

/** The servers of a configuration, those of all agents first. */
export function configuredServers({ mcpServers = {}, agents = {} }: Config): ConfiguredServer[] {
  const shared = Object.entries(mcpServers).map(([name, settings]) => ({ name, settings }));
  const own = Object.entries(agents).flatMap(([agent, { mcpServers: servers = {} }]) =>
    Object.entries(servers).flatMap(([name, settings]) =>
      settings === false ? [] : [{ name, agent, settings }],
    ),
  );
  return [...shared, ...own];
}

/** The configuration with one server only, and that one enabled. */
export function onlyServer(config: Config, name: string): Config {
  const names = configuredServers(config).map((server) => server.name);
  if (!names.includes(name)) {
    throw new DragomanError("mcp/no-server", `there is no MCP server ${JSON.stringify(name)}`, {
      hint:
        names.length === 0
          ? "add it to `mcpServers` in the configuration"
          : `the servers are ${[...new Set(names)].join(", ")}`,
    });
  }
  const keep = <T>(servers: Readonly<Record<string, T>> = {}): Record<string, T> => {
    const settings = servers[name];
    return settings === undefined ? {} : { [name]: settings };
  };
  const agents = Object.entries(config.agents ?? {}).map(
    ([id, agent]) => [id, { ...agent, mcpServers: keep(agent.mcpServers) }] as const,
  );
  return { ...config, mcpServers: keep(config.mcpServers), agents: Object.fromEntries(agents) };
}

/** Connects to the servers, uses them, and stops them. */
export async function withServers<T>(
  config: Config,
  home: string,
  use: (servers: McpServers) => Promise<T>,
): Promise<T> {
  const servers = await openServers(config, { home, env: (name) => world.env(name) });
  try {
    await servers.start();
    return await use(servers);
  } finally {
    await servers.close();
  }
}

/** Reports why a server cannot be used. */
export function reportMissing({ name, why = "it is not ready" }: ServerStatus): void {
  reportLine(shownLine(`MCP server ${name} cannot be used: ${why}`));
}

export function isMissing({ state }: Pick<ServerStatus, "state">): boolean {
  return state !== "ready" && state !== "disabled";
}
