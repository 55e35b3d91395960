import type { McpServersConfig } from "../../mcp/settings.js";
import type { SessionServers } from "../../runtime/session-servers.js";

interface Attached {
  /** The servers as text, to recognise the same ones. */
  text: string;
  detach(): Promise<void>;
}

/** The MCP servers that one client has given to sessions. They end with its connection. */
export class ClientServers {
  readonly #servers: SessionServers;
  readonly #attached = new Map<string, Attached>();
  #lastChange: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(servers: SessionServers) {
    this.#servers = servers;
  }

  /** Replaces what the client gave the session before. The same servers keep running. */
  replace(session: string, servers: McpServersConfig): Promise<void> {
    const change = this.#lastChange.then(() => this.#replace(session, servers));
    this.#lastChange = change.catch(() => undefined);
    return change;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lastChange;
    await Promise.all([...this.#attached.values()].map(({ detach }) => detach()));
    this.#attached.clear();
  }

  async #replace(session: string, servers: McpServersConfig): Promise<void> {
    const text = JSON.stringify(servers);
    const known = this.#attached.get(session);
    if (this.#isClosed || known?.text === text) return;
    this.#attached.delete(session);
    await known?.detach();
    if (Object.keys(servers).length === 0) return;
    this.#attached.set(session, { text, detach: await this.#servers.attach(session, servers) });
  }
}
