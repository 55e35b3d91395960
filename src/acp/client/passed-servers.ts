import { wordsOf } from "../../core/error.js";
import { expandVariables } from "../../mcp/client/expand-variables.js";
import type { McpAgentServersConfig, McpServerSettings } from "../../mcp/settings.js";
import type { AgentProgram } from "./agent-program.js";

export interface PassOptions {
  env(name: string): string | undefined;
  program: AgentProgram;
  /** Called for a server that the program does not get. */
  onProblem(text: string): void;
}

/** Our configured MCP servers in the protocol's form, for a program that connects to them itself. */
export function serversFor(servers: McpAgentServersConfig, options: PassOptions): object[] {
  return Object.entries(servers).flatMap(([name, settings]) => {
    if (settings === false || settings.disabled === true) return [];
    try {
      return passed(name, settings, options);
    } catch (error) {
      options.onProblem(`MCP server ${name} is not passed to the program: ${wordsOf(error)}`);
      return [];
    }
  });
}

function passed(
  name: string,
  { url, command = "", args = [], env = {}, headers = {}, oauth }: McpServerSettings,
  { env: variables, program, onProblem }: PassOptions,
): object[] {
  const expand = (text: string) => expandVariables(text, variables, []);
  const pairs = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([key, value]) => ({ name: key, value: expand(value) }));
  if (url === undefined) {
    return [{ name, command: expand(command), args: args.map(expand), env: pairs(env) }];
  }
  if (program.capabilities.mcpCapabilities?.http !== true) {
    onProblem(`MCP server ${name} is not passed to the program, which does not support HTTP servers`);
    return [];
  }
  if (oauth !== undefined) onProblem(`MCP server ${name}: the program has to log in by itself`);
  return [{ type: "http", name, url: expand(url), headers: pairs(headers) }];
}
