import { action, type Declaration } from "../declaration.js";
import { flag, home } from "../options.js";

export const mcpLoginCommand = {
  name: "mcp login",
  summary: "log in to an MCP server with OAuth, in the browser",
  words: ["NAME"],
  options: {
    "no-browser": flag("print the link without opening the browser"),
    home,
  },
  notes: [
    "The link goes to standard output; the browser comes back to an address of this computer. The tokens are stored in the home, readable only by you, and are refreshed when they expire.",
    "A server with an `Authorization` header in the configuration needs no login.",
  ],
  examples: ["dragoman mcp login github", "dragoman mcp login github --no-browser"],
} as const satisfies Declaration;

export const mcpLogoutCommand = {
  name: "mcp logout",
  summary: "delete the stored login at an MCP server",
  words: ["NAME"],
  options: { home },
  notes: ["The tokens are deleted here. To revoke them, use the settings of your account at the service."],
  examples: ["dragoman mcp logout github"],
} as const satisfies Declaration;

export const loginActions = [
  action(mcpLoginCommand, () => import("./login.js")),
  action(mcpLogoutCommand, () => import("./logout.js")),
];
