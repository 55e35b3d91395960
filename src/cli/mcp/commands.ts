import type { CommandGroup } from "../declaration.js";
import { clientActions } from "./client-commands.js";
import { loginActions } from "./login-commands.js";
import { serveAction } from "./serve-commands.js";

export const mcpCommand: CommandGroup = {
  name: "mcp",
  summary: "use MCP servers, and serve sessions over MCP",
  listsByDefault: true,
  examples: ["dragoman mcp list", "dragoman mcp test github", "dragoman mcp serve"],
  subcommands: [...clientActions, ...loginActions, serveAction],
};
