import type { Runtime } from "../../runtime/runtime.js";
import { type Finding, ok, warning } from "./finding.js";

/** For each MCP server: whether it can be used. Starts the servers, which the runtime stops when it is closed. */
export async function checkServers(runtime: Runtime): Promise<Finding[]> {
  const servers = await runtime.mcpServers();
  if (servers === undefined) return [];
  await servers.start();
  return servers.status().map(({ name, agent, state, why = "it is not ready", server, tools }) => {
    const subject = "mcp";
    const shown = agent === undefined ? name : `${name} (agent "${agent}")`;
    if (state === "disabled") return ok(subject, `${shown}: disabled`);
    if (state === "ready")
      return ok(
        subject,
        `${shown}: ready, ${tools.length} tools${server === undefined ? "" : `, ${server}`}`,
      );
    return warning(subject, `${shown}: ${why}`, `fix this, then run \`dragoman mcp test ${name}\``);
  });
}
