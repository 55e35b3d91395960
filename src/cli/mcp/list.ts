import type { McpServerSettings } from "../../mcp/settings.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { shownText } from "../terminal/shown-text.js";
import { listing } from "../terminal/table.js";
import type { mcpListCommand } from "./client-commands.js";
import { configuredServers } from "./configured-servers.js";

export async function run({ values }: Arguments<typeof mcpListCommand>): Promise<number> {
  const config = await readConfig(homeFolder(process.env, values.home), process.env);
  const rows = configuredServers(config).map(({ name, agent, settings }) => ({
    name,
    ...(agent === undefined ? {} : { agent }),
    kind: settings.url === undefined ? "stdio" : "http",
    target: targetOf(settings),
    era: settings.era ?? "auto",
    disabled: settings.disabled ?? false,
  }));
  if (rows.length === 0 && values.json !== true) {
    reportLine("no MCP servers; add them to `mcpServers` in the configuration");
    return 0;
  }
  const lines = rows.map(({ name, agent, kind, target, era, disabled }) => [
    name,
    agent ?? "all",
    kind,
    disabled ? `${target} (disabled)` : target,
    era,
  ]);
  const text = listing([["NAME", "AGENT", "KIND", "TARGET", "ERA"], ...lines]).join("\n");
  await writeResult(values.json, shownText(text), rows);
  return 0;
}

/** The program, or the URL without what can be secret: the user, the query and the fragment. */
function targetOf({ command = "", url }: McpServerSettings): string {
  if (url === undefined) return command;
  const [address = ""] = url.split(/[?#]/);
  return address.replace(/^(https?:\/\/)[^/@]*@/, "$1");
}
