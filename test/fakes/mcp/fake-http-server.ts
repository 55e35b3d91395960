import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FakeMcpServer, type FakeServerOptions, type Peer } from "./fake-server.js";

type Json = Record<string, unknown>;

export interface FakeHttpOptions extends FakeServerOptions {
  /** The token that it requires. */
  token?: string;
  /** Answers are streams of events instead of JSON. */
  streams?: boolean;
  /** Ends the stream of a call before its answer, which is left to be fetched by `Last-Event-ID`. */
  breaksStreams?: boolean;
}

/** The fake over streamable HTTP. It refuses requests without the headers of their era. */
export class FakeMcpHttp {
  readonly server: FakeMcpServer;
  /** Status and method of every request. */
  readonly requests: string[] = [];
  readonly #options: FakeHttpOptions;
  readonly #http = createServer((request, response) => void this.#handle(request, response));
  readonly #kept = new Map<string, string[]>();
  #session: string | undefined;
  #events: ServerResponse | undefined;

  constructor(options: FakeHttpOptions) {
    this.#options = options;
    this.server = new FakeMcpServer(options);
  }

  async listen(): Promise<string> {
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
  }

  async close(): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, "close");
  }

  /** Forgets the session, as a server does that was restarted. */
  forget(): void {
    this.#session = "forgotten";
  }

  /** Peers that listen to notifications over GET. */
  get peers(): Peer[] {
    const events = this.#events;
    return events === undefined
      ? []
      : [{ send: (message) => events.write(`data: ${JSON.stringify(message)}\n\n`) }];
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method } = request;
    if (this.#options.token !== undefined && headers.authorization !== `Bearer ${this.#options.token}`) {
      return this.#end(request, response, 401, "no access");
    }
    if (method === "GET") return this.#get(request, response);
    if (method === "DELETE") {
      this.#session = undefined;
      return this.#end(request, response, 200, "");
    }
    let text = "";
    for await (const chunk of request) text += chunk;
    const message = JSON.parse(text) as Json;
    const version = ((message["params"] as Json)?.["_meta"] as Json)?.[
      "io.modelcontextprotocol/protocolVersion"
    ];
    const problem =
      version === undefined
        ? this.#legacyProblem(request, message)
        : modernProblem(request, message, String(version));
    if (problem !== undefined) {
      const { status, code, words } = problem;
      const error = { jsonrpc: "2.0", id: message["id"], error: { code, message: words } };
      return this.#end(request, response, status, JSON.stringify(error), "application/json");
    }
    if (!("id" in message) || !("method" in message)) {
      await this.server.accept(message, { send: () => undefined });
      return this.#end(request, response, 202, "");
    }
    await this.#answer(request, response, message, version !== undefined);
  }

  #get(request: IncomingMessage, response: ServerResponse): void {
    const last = request.headers["last-event-id"];
    const kept = last === undefined ? undefined : this.#kept.get(String(last));
    if (kept !== undefined) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(kept.join(""));
      this.requests.push("200 GET resume");
      return;
    }
    if (this.#session === undefined) {
      this.#end(request, response, 405, "");
      return;
    }
    this.requests.push("200 GET");
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    this.#events = response;
  }

  #legacyProblem(request: IncomingMessage, message: Json) {
    const { headers } = request;
    if (message["method"] === "initialize") return undefined;
    if (this.#session === undefined || headers["mcp-session-id"] !== this.#session) {
      return { status: 404, code: -32600, words: "no such session" };
    }
    if (headers["mcp-protocol-version"] === undefined && message["method"] !== "notifications/initialized") {
      return { status: 400, code: -32600, words: "MCP-Protocol-Version is missing" };
    }
    return undefined;
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    message: Json,
    isModern: boolean,
  ): Promise<void> {
    const { accept = "" } = request.headers;
    if (!accept.includes("application/json") || !accept.includes("text/event-stream")) {
      return this.#end(request, response, 406, "Accept must name JSON and streams of events");
    }
    const head: Record<string, string> = {};
    if (message["method"] === "initialize") {
      this.#session = randomUUID();
      head["mcp-session-id"] = this.#session;
    }
    const id = message["id"];
    response.on("close", () => isModern && this.server.drop(id));
    const isStream = this.#options.streams === true || message["method"] === "subscriptions/listen";
    const isBroken = this.#options.breaksStreams === true && message["method"] === "tools/call";
    if (isBroken) {
      const event = randomUUID();
      const kept: string[] = [];
      this.#kept.set(event, kept);
      await this.server.accept(message, { send: (sent) => kept.push(`data: ${JSON.stringify(sent)}\n\n`) });
      response.writeHead(200, { ...head, "content-type": "text/event-stream" });
      response.end(`id: ${event}\nretry: 10\ndata: \n\n`);
      return;
    }
    if (isStream) {
      response.writeHead(200, { ...head, "content-type": "text/event-stream" });
      response.flushHeaders();
    }
    this.requests.push(`200 ${String(message["method"])}`);
    const peer: Peer = {
      send: (sent) => {
        if (isStream) response.write(`data: ${JSON.stringify(sent)}\n\n`);
        else if ("id" in sent && !("method" in sent))
          response
            .writeHead(statusOf(sent, isModern), { ...head, "content-type": "application/json" })
            .end(JSON.stringify(sent));
      },
    };
    await this.server.accept(message, peer);
    if (isStream) response.end();
  }

  #end(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    text: string,
    type = "text/plain",
  ): void {
    this.requests.push(`${status} ${request.method}`);
    response.writeHead(status, { "content-type": type }).end(text);
  }
}

function statusOf(message: Json, isModern: boolean): number {
  const error = message["error"] as Json | undefined;
  if (!isModern || error === undefined) return 200;
  if (error["code"] === -32601) return 404;
  return [-32020, -32021, -32022].includes(Number(error["code"])) ? 400 : 200;
}

const NAMED: Record<string, string> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

function modernProblem({ headers }: IncomingMessage, message: Json, version: string) {
  const wrong = (words: string) => ({ status: 400, code: -32020, words });
  if (headers["mcp-session-id"] !== undefined) return wrong("a session id");
  if (headers["mcp-protocol-version"] !== version) return wrong("MCP-Protocol-Version differs from the body");
  if (headers["mcp-method"] !== message["method"]) return wrong("Mcp-Method differs from the body");
  const field = NAMED[String(message["method"])];
  const expected = field === undefined ? undefined : (message["params"] as Json)[field];
  if (decoded(headers["mcp-name"]) !== expected) return wrong("Mcp-Name differs from the body");
  return undefined;
}

function decoded(value: string | string[] | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, "base64").toString("utf8");
}
