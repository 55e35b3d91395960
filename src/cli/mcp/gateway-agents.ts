import type { ToolOutput, ToolRun } from "../../agent/types.js";
import { DragomanError } from "../../core/error.js";
import { TokenStore } from "../../gateway/auth/token-store.js";
import type { Question } from "../../gateway/mcp/tools/ask-agent.js";
import { McpClient } from "../../mcp/client/client.js";
import { HttpTransport } from "../../mcp/client/http-transport.js";
import { contentOf } from "../../mcp/client/tool-output.js";
import { httpFetch } from "../../runtime/http-fetch.js";
import { cellsAt } from "../../runtime/store-address.js";
import { findGateway } from "../running-gateway.js";

const HOUR_MS = 3_600_000;

interface OwnToken {
  id: string;
  secret: string;
  expires: number;
}

/** The agents of the gateway that runs on a home. Each call is passed on to its `ask_agent` tool. */
export class GatewayAgents {
  readonly #home: string;
  readonly #tokens: TokenStore;
  #token: Promise<OwnToken> | undefined;

  constructor(home: string) {
    this.#home = home;
    this.#tokens = new TokenStore(cellsAt(home));
  }

  async ask(question: Question, { signal, update }: ToolRun): Promise<ToolOutput> {
    const url = await findGateway(this.#home);
    if (url === undefined) {
      throw new DragomanError("mcp/unavailable", "no gateway is running for this home", {
        hint: "agents answer through the gateway: start it with `dragoman serve`",
      });
    }
    const headers = { authorization: `Bearer ${await this.#secret()}` };
    const client = await McpClient.connect({
      era: "modern",
      open: (events) => new HttpTransport({ url: `${url}/mcp`, headers, fetch: httpFetch }, events),
    });
    try {
      const result = await client.callTool(
        "ask_agent",
        { ...question },
        {
          signal,
          timeoutMs: HOUR_MS,
          hardTimeoutMs: HOUR_MS,
          onProgress: ({ message = "" }) => update({ content: message }),
        },
      );
      const { content = [], structuredContent: details, isError = false } = result;
      return { content: content.flatMap(contentOf), details, isError };
    } finally {
      await client.close();
    }
  }

  async close(): Promise<void> {
    const token = await this.#token;
    this.#token = undefined;
    if (token !== undefined) await this.#tokens.revoke(token.id);
  }

  async #secret(): Promise<string> {
    this.#token ??= this.#createToken();
    const { secret, expires } = await this.#token;
    if (Date.now() < expires - HOUR_MS) return secret;
    await this.close();
    return this.#secret();
  }

  /** A token for this process. If the process is killed, the token expires by itself. */
  async #createToken(): Promise<OwnToken> {
    const expires = Date.now() + 12 * HOUR_MS;
    const { secret, entry } = await this.#tokens.create("dragoman mcp serve", "chat", { expires });
    return { id: entry.id, secret, expires };
  }
}
