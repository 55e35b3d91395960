import { DragomanError } from "../../core/error.js";
import { expandVariables } from "../../mcp/client/expand-variables.js";
import type { McpServerSettings } from "../../mcp/settings.js";
import { world } from "../../providers/world.js";
import type { Config } from "../../runtime/schema.js";
import { configuredServers, onlyServer } from "./configured-servers.js";

/** A server that is reached by its address. */
interface LoginServer {
  settings: McpServerSettings;
  /** With its variables filled in; logins are stored under it. */
  url: string;
}

/** The server to log in to. Refuses one that OAuth is not for. */
export function loginServer(config: Config, name: string): LoginServer {
  const [found] = configuredServers(onlyServer(config, name));
  const address = found?.settings.url;
  if (found === undefined || address === undefined) {
    throw new DragomanError("mcp/bad-settings", `${name} is a program on this computer, which has no login`, {
      hint: "put its credentials under `env` in the configuration",
    });
  }
  return { settings: found.settings, url: expandVariables(address, (variable) => world.env(variable), []) };
}
