import type { ToolOutput, ToolRun } from "../../agent/types.js";
import { DragomanError } from "../../core/error.js";
import type { Question } from "../../gateway/mcp/tools/ask-agent.js";
import { McpClient } from "../../mcp/client/client.js";
import { HttpTransport } from "../../mcp/client/http-transport.js";
import { contentOf } from "../../mcp/client/tool-output.js";
import { httpFetch } from "../../runtime/http-fetch.js";
import { OwnToken } from "../own-token.js";
import { findGateway } from "../running-gateway.js";

const HOUR_MS = 3_600_000;

/** The agents of the gateway that runs on a home. Each call is passed on to its `ask_agent` tool. */
export class GatewayAgents {
  readonly #home: string;
  readonly #token: OwnToken;

  constructor(home: string) {
    this.#home = home;
    this.#token = new OwnToken(home, "dragoman mcp serve", "chat");
  }

  async ask(question: Question, { signal, update }: ToolRun): Promise<ToolOutput> {
    const url = await findGateway(this.#home);
    if (url === undefined) {
      throw new DragomanError("mcp/unavailable", "no gateway is running for this home", {
        hint: "agents answer through the gateway: start it with `dragoman serve`",
      });
    }
    const headers = { authorization: `Bearer ${await this.#token.secret()}` };
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

  close(): Promise<void> {
    return this.#token.close();
  }
}
