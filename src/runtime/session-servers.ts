import type { Tool } from "../agent/types.js";
import type { AskFor } from "../mcp/client/server-tool.js";
import type { McpServers, ServersOptions } from "../mcp/client/servers.js";
import type { McpServersConfig } from "../mcp/settings.js";
import { httpFetch } from "./http-fetch.js";

type Options = Pick<ServersOptions, "home" | "onLine" | "onState">;

/** MCP servers that clients bring for single sessions, such as those of an editor. They run until they are detached. */
export class SessionServers {
  readonly #options: Options;
  readonly #attached = new Map<string, Set<McpServers>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Starts the servers for a session. Returns a function that stops them. */
  async attach(session: string, servers: McpServersConfig): Promise<() => Promise<void>> {
    const { McpServers } = await import("../mcp/client/servers.js");
    const opened = new McpServers({
      ...this.#options,
      servers,
      agents: {},
      fetch: httpFetch,
      // A client's texts are meant literally: `${NAME}` stays as it is.
      env: (name) => `\${${name}}`,
    });
    const all = this.#attached.get(session) ?? new Set();
    this.#attached.set(session, all.add(opened));
    void opened.start();
    return async () => {
      all.delete(opened);
      if (all.size === 0) this.#attached.delete(session);
      await opened.close();
    };
  }

  has(session: string): boolean {
    return this.#attached.has(session);
  }

  /** The tools of a session's own servers, and of the configured servers that have other names. */
  async tools(session: string, configured: readonly Tool[], askFor?: AskFor): Promise<Tool[]> {
    const tools = new Map<string, Tool>();
    const names = new Set<string>();
    for (const servers of this.#attached.get(session) ?? []) {
      for (const name of servers.namesFor("")) names.add(name);
      for (const tool of await servers.toolsFor("", askFor)) tools.set(tool.name, tool);
    }
    const others = configured.filter(({ ruleName = "" }) => !names.has(ruleName.split("/", 1)[0] ?? ""));
    for (const tool of others) tools.set(tool.name, tool);
    return [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async close(): Promise<void> {
    const all = [...this.#attached.values()].flatMap((servers) => [...servers]);
    this.#attached.clear();
    await Promise.all(all.map((servers) => servers.close()));
  }
}
