import { MAIN } from "../../runtime/agents.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { shownLine, shownText } from "../terminal/shown-text.js";
import { listing } from "../terminal/table.js";
import type { mcpToolsCommand } from "./client-commands.js";
import { isMissing, onlyServer, reportMissing, withServers } from "./configured-servers.js";

const DESCRIPTION_LENGTH = 80;

export async function run({ values, words: [name] }: Arguments<typeof mcpToolsCommand>): Promise<number> {
  const { agent = MAIN, json } = values;
  const home = homeFolder(process.env, values.home);
  const config = await readConfig(home, process.env);
  const known = [...new Set([MAIN, ...Object.keys(config.agents ?? {})])];
  if (!known.includes(agent)) throw usageError(`--agent must be one of ${known.join(", ")}, not "${agent}"`);
  const shown = name === undefined ? config : onlyServer(config, name);
  const { tools, missing } = await withServers(shown, home, async (servers) => ({
    tools: await servers.toolsFor(agent),
    missing: servers.status(agent).filter(isMissing),
  }));
  const lines = tools.map(({ name, ruleName = "", description }) => [name, ruleName, summaryOf(description)]);
  const text = listing([["NAME", "RULE", "DESCRIPTION"], ...lines]).join("\n");
  const rows = tools.map(({ name, ruleName, description, parameters }) => ({
    name,
    rule: ruleName,
    description,
    parameters,
  }));
  await writeResult(json, shownText(text), rows);
  for (const status of missing) reportMissing(status);
  return missing.length > 0 ? 1 : 0;
}

/** The beginning of a description, on one line. */
function summaryOf(description: string): string {
  const line = shownLine(description);
  return line.length > DESCRIPTION_LENGTH ? `${line.slice(0, DESCRIPTION_LENGTH)}…` : line;
}
