import type { Tool } from "../agent/types.js";
import type { AskFor } from "../mcp/client/server-tool.js";
import type { McpServers } from "../mcp/client/servers.js";
import type { Conversation } from "./conversation.js";
import type { SessionServers } from "./session-servers.js";

/** The tools of the configured MCP servers, and of those that clients brought for the conversation. */
export async function serverTools(
  agent: string,
  configured: McpServers | undefined,
  sessionServers: SessionServers,
  conversation?: Conversation,
): Promise<Tool[]> {
  const id = conversation?.session.id ?? "";
  if (configured === undefined && !sessionServers.has(id)) return [];
  const { elicitFrom } = await import("./elicitation.js");
  const permissions = conversation?.permissions;
  const askFor: AskFor | undefined =
    permissions === undefined ? undefined : (server, call) => elicitFrom(permissions, server, call);
  return sessionServers.tools(id, (await configured?.toolsFor(agent, askFor)) ?? [], askFor);
}
