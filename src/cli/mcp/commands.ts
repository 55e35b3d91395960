import type { CommandGroup } from "../declaration.js";
import { serveAction } from "./serve-commands.js";

export const mcpCommand: CommandGroup = {
  name: "mcp",
  summary: "use MCP servers, and serve sessions over MCP",
  examples: ["dragoman mcp serve"],
  subcommands: [serveAction],
};
