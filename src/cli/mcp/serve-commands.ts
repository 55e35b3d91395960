import { action, type Declaration } from "../declaration.js";
import { home } from "../options.js";

export const mcpServeCommand = {
  name: "mcp serve",
  summary: "serve this computer's sessions to an MCP client, over standard input and output",
  words: [],
  options: { home },
  notes: [
    "The client's model can search, list, read, convert and check the sessions of Dragoman and of other programs on this computer. With `ask_agent` it can ask an agent of a gateway that runs on the same home.",
    "Standard output contains only messages of the protocol. The same tools are at `POST /mcp` of the gateway.",
  ],
  examples: ["dragoman mcp serve", "claude mcp add dragoman -- dragoman mcp serve"],
} as const satisfies Declaration;

export const serveAction = action(mcpServeCommand, () => import("./serve.js"));
