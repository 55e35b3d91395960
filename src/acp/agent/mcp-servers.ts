import type { Params } from "../../protocol/schema.js";
import type { AcpMcpServer } from "../wire.js";

type Servers = Params<"sessions.mcpServers">["mcpServers"];

/** A client's MCP servers, under names that tools and permission rules can have. */
export function serversOf(
  given: readonly AcpMcpServer[],
  cwd: string,
): { servers: Servers; unsupported: string[] } {
  const servers: Servers = {};
  const unsupported: string[] = [];
  for (const { name, type, command, args, env, url, headers } of given) {
    const unique = uniqueName(name, servers);
    if (command !== undefined && url === undefined) {
      servers[unique] = { command, args: args ?? [], env: recordOf(env), cwd };
    } else if (url !== undefined && type === "http") servers[unique] = { url, headers: recordOf(headers) };
    else unsupported.push(name);
  }
  return { servers, unsupported };
}

function recordOf(pairs: AcpMcpServer["env"]): Record<string, string> {
  return Object.fromEntries((pairs ?? []).map(({ name, value }) => [name, value]));
}

/** Clients name servers for people, such as `My files`. */
function uniqueName(name: string, taken: Servers): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_.-]/g, "-").slice(0, 56);
  const base = /^[A-Za-z0-9]/.test(plain) ? plain : `server${plain}`;
  let unique = base;
  for (let number = 2; Object.hasOwn(taken, unique); number++) unique = `${base}-${number}`;
  return unique;
}
