import { homeFolder, readConfig } from "../../runtime/config.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { shownText } from "../terminal/shown-text.js";
import { listing } from "../terminal/table.js";
import type { mcpTestCommand } from "./client-commands.js";
import {
  configuredServers,
  isMissing,
  onlyServer,
  reportMissing,
  withServers,
} from "./configured-servers.js";

export async function run({ values, words: [name] }: Arguments<typeof mcpTestCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const config = await readConfig(home, process.env);
  const tested = name === undefined ? config : onlyServer(config, name);
  if (configuredServers(tested).length === 0 && values.json !== true) {
    reportLine("no MCP servers; add them to `mcpServers` in the configuration");
    return 0;
  }
  const all = await withServers(tested, home, async (servers) => servers.status());
  const lines = all.map(({ name, agent = "all", state, server = "", version = "", tools }) => [
    name,
    agent,
    isMissing({ state }) ? "failed" : state,
    server,
    version,
    state === "ready" ? `${tools.length}` : "",
  ]);
  const text = listing([["NAME", "AGENT", "STATE", "SERVER", "PROTOCOL", "TOOLS"], ...lines]).join("\n");
  await writeResult(values.json, shownText(text), all);
  const missing = all.filter(isMissing);
  if (values.json !== true) for (const status of missing) reportMissing(status);
  return missing.length > 0 ? 1 : 0;
}
