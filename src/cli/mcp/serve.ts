import { DragomanError, wordsOf } from "../../core/error.js";
import { askAgent } from "../../gateway/mcp/tools/ask-agent.js";
import { INSTRUCTIONS, readingTools } from "../../gateway/mcp/tools/reading-tools.js";
import { ownName } from "../../mcp/own-name.js";
import { serveLines } from "../../mcp/server/serve-lines.js";
import { MAIN } from "../../runtime/agents.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import type { Config } from "../../runtime/schema.js";
import { openSessions } from "../../runtime/sessions.js";
import { ReadableSessions } from "../../runtime/sources/readable-sessions.js";
import { sourcesOf } from "../../runtime/sources/sources.js";
import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
import { onFirstSignal } from "../terminal/signals.js";
import { GatewayAgents } from "./gateway-agents.js";
import type { mcpServeCommand } from "./serve-commands.js";

export async function run({ values }: Arguments<typeof mcpServeCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const config = await readConfig(home, process.env);
  const { log, catalogue, close } = await openSessions(home, reportLine);
  const sessions = new ReadableSessions({
    log,
    catalogue,
    sources: async () => sourcesOf(config, process.env, reportLine),
    filter: {},
    mayRead: () => true,
  });
  const agents = new GatewayAgents(home);
  const service = {
    info: ownName(),
    instructions: INSTRUCTIONS,
    tools: [
      ...readingTools(sessions, catalogue),
      askAgent(askable(config), (question, call) => agents.ask(question, call)),
    ],
    explain,
  };
  const input = process.stdin;
  // The end of the input is the protocol's way to stop a server; a signal has the same effect.
  onFirstSignal(() => input.push(null));
  try {
    await serveLines(service, input, (line) => process.stdout.write(line));
  } finally {
    await agents.close();
    await close();
    input.destroy();
  }
  return 0;
}

function askable({ agents = {} }: Config) {
  const ids = [...new Set([MAIN, ...Object.keys(agents)])];
  return ids.map((id) => ({ id, description: agents[id]?.description }));
}

function explain(error: unknown): string {
  const hint = error instanceof DragomanError ? error.hint : undefined;
  return hint === undefined ? wordsOf(error) : `${wordsOf(error)}; ${hint}`;
}
