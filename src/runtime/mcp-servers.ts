import type { McpServers, ServersOptions } from "../mcp/client/servers.js";
import { httpFetch } from "./http-fetch.js";
import type { Config } from "./schema.js";

/** Whether a server is configured, for all agents or for one. */
export function hasServers({ mcpServers = {}, agents = {} }: Config): boolean {
  const all = [mcpServers, ...Object.values(agents).map((agent) => agent.mcpServers ?? {})];
  return all.some((servers) => Object.values(servers).some((settings) => settings !== false));
}

/** All settings of servers as text, to find out whether they have changed. */
export function serverSettings({ mcpServers = {}, agents = {} }: Config): string {
  return JSON.stringify([mcpServers, Object.entries(agents).map(([id, agent]) => [id, agent.mcpServers])]);
}

/** The servers of a configuration, not started yet. Loads what they need. */
export async function openServers(
  { mcpServers: servers = {}, agents = {} }: Config,
  options: Omit<ServersOptions, "servers" | "agents" | "fetch" | "authOf">,
): Promise<McpServers> {
  const { McpServers } = await import("../mcp/client/servers.js");
  const { credentialStore } = await import("./mcp-credentials.js");
  const { oauthAccess } = await import("./mcp-access.js");
  const store = credentialStore(options.home);
  const own = Object.entries(agents).map(([id, { mcpServers }]) => [id, mcpServers] as const);
  return new McpServers({
    servers,
    agents: Object.fromEntries(own),
    fetch: httpFetch,
    authOf: (name, url, oauth) => oauthAccess({ name, url, oauth, store }),
    ...options,
  });
}
