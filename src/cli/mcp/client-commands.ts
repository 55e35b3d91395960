import { action, type Declaration } from "../declaration.js";
import { home, json, value } from "../options.js";

export const mcpListCommand = {
  name: "mcp list",
  summary: "list the configured MCP servers, without connecting to them",
  words: [],
  options: { json: json("[{name, agent, kind, target, era, disabled}]"), home },
  notes: [
    "Servers are under `mcpServers` in the configuration, for all agents or for one. `dragoman mcp` is short for it. Arguments, environment and headers are not shown, because they can contain secrets.",
  ],
  examples: ["dragoman mcp list", "dragoman mcp list --json | jq -r '.[].name'"],
} as const satisfies Declaration;

export const mcpTestCommand = {
  name: "mcp test",
  summary: "connect to one MCP server or all of them, and report what works",
  words: ["[NAME]"],
  options: {
    json: json("[{name, agent, kind, state, why, era, version, server, tools: [NAME]}]"),
    home,
  },
  notes: [
    "Starts the servers, lists their tools and stops them. No tool is called. The exit code is 1 if a server cannot be used.",
  ],
  examples: ["dragoman mcp test", "dragoman mcp test github", "dragoman mcp test --json"],
} as const satisfies Declaration;

export const mcpToolsCommand = {
  name: "mcp tools",
  summary: "list the tools that an agent has from its MCP servers",
  words: ["[NAME]"],
  options: {
    agent: value("A", "the agent (default: main)"),
    json: json("[{name, rule, description, parameters}]"),
    home,
  },
  notes: [
    "NAME selects one server. RULE is the tool's name in permission rules and in an agent's `tools`; models call it by NAME. The exit code is 1 if a server cannot be used.",
  ],
  examples: ["dragoman mcp tools", "dragoman mcp tools github --agent coder", "dragoman mcp tools --json"],
} as const satisfies Declaration;

export const clientActions = [
  action(mcpListCommand, () => import("./list.js")),
  action(mcpTestCommand, () => import("./test.js")),
  action(mcpToolsCommand, () => import("./tools.js")),
];
