import { randomUUID } from "node:crypto";

type Json = Record<string, unknown>;

/** What a fake tool is given. */
export interface ToolContext {
  args: Json;
  meta: Json;
  /** Aborts when the client cancels the call. */
  signal: AbortSignal;
  progress(progress: number, total?: number, message?: string): void;
  /** Asks the client (legacy), or throws what makes the server ask for input first (modern). */
  elicit(params: Json): Promise<Json>;
}

export interface FakeTool {
  description?: string;
  inputSchema?: Json;
  annotations?: Json;
  run(context: ToolContext): Promise<Json> | Json;
}

export interface FakeServerOptions {
  /** Which versions it speaks. */
  versions: readonly string[];
  tools?: Record<string, FakeTool>;
  resources?: Record<string, Json>;
  prompts?: Record<string, { arguments?: Json[]; messages: Json[] }>;
  /** Tools on one page of the list. */
  pageSize?: number;
}

const MODERN = "2026-07-28";
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

class Refused extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

class InputNeeded extends Error {
  readonly params: Json;

  constructor(params: Json) {
    super("input needed");
    this.params = params;
  }
}

/** A client's connection to the fake. */
export interface Peer {
  send(message: Json): void;
}

/** A server that refuses what the specification forbids: wrong order, ids used twice, versions and capabilities left out. */
export class FakeMcpServer {
  readonly options: FakeServerOptions;
  /** Every method that was called, in order. */
  readonly calls: string[] = [];
  readonly cancelled: unknown[] = [];
  readonly problems: string[] = [];
  readonly #usedIds = new Set<unknown>();
  readonly #running = new Map<unknown, AbortController>();
  readonly #asked = new Map<unknown, (answer: Json) => void>();
  readonly #states = new Map<string, unknown>();
  readonly #listeners = new Map<unknown, Peer>();
  #era: "modern" | "legacy" | undefined;
  #phase: "new" | "initializing" | "ready" = "new";
  #capabilities: Json = {};

  constructor(options: FakeServerOptions) {
    this.options = options;
  }

  async accept(message: Json, peer: Peer): Promise<void> {
    if (message["jsonrpc"] !== "2.0") this.#problem("a message without jsonrpc");
    if (!("method" in message)) {
      this.#asked.get(message["id"])?.(message);
      return;
    }
    const { method, id } = message;
    this.calls.push(String(method));
    const params = (message["params"] ?? {}) as Json;
    if (id === undefined) {
      this.#notified(String(method), params);
      return;
    }
    if (this.#usedIds.has(id)) this.#problem(`the id ${String(id)} was used before`);
    this.#usedIds.add(id);
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#answer(String(method), params, id, peer, controller.signal);
      if (result !== undefined && !controller.signal.aborted) peer.send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (controller.signal.aborted) return;
      const refused = error instanceof Refused ? error : new Refused(-32603, String(error));
      const { code, message: words, data } = refused;
      peer.send({
        jsonrpc: "2.0",
        id,
        error: { code, message: words, ...(data === undefined ? {} : { data }) },
      });
    } finally {
      this.#running.delete(id);
    }
  }

  /** The client closed the response of a request (modern HTTP). */
  drop(id: unknown): void {
    this.#running.get(id)?.abort();
  }

  /** Replaces the tools and tells the clients. */
  change(tools: Record<string, FakeTool>, peers: readonly Peer[]): void {
    this.options.tools = tools;
    const method = "notifications/tools/list_changed";
    if (this.#era !== "modern") for (const peer of peers) peer.send({ jsonrpc: "2.0", method });
    for (const [id, peer] of this.#listeners) {
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      peer.send({ jsonrpc: "2.0", method, params: { _meta } });
    }
  }

  #problem(text: string): void {
    this.problems.push(text);
  }

  #notified(method: string, params: Json): void {
    if (method === "notifications/initialized") {
      if (this.#phase !== "initializing") this.#problem("initialized before initialize");
      this.#phase = "ready";
    } else if (method === "notifications/cancelled") {
      this.cancelled.push(params["requestId"]);
      this.#running.get(params["requestId"])?.abort();
    }
  }

  async #answer(
    method: string,
    params: Json,
    id: unknown,
    peer: Peer,
    signal: AbortSignal,
  ): Promise<Json | undefined> {
    if (method === "initialize") return this.#initialize(params);
    const meta = (params["_meta"] ?? {}) as Json;
    if (meta[VERSION] !== undefined) this.#checkModern(meta);
    else if (this.#phase !== "ready") throw new Refused(-32600, "not initialized");
    else this.#era = "legacy";
    const isModern = this.#era === "modern";
    const done = (result: Json): Json => (isModern ? { resultType: "complete", ...result } : result);
    const listed = (result: Json) => done(isModern ? { ttlMs: 0, cacheScope: "private", ...result } : result);
    switch (method) {
      case "server/discover":
        if (!isModern) throw new Refused(-32601, "no such method");
        return listed({
          supportedVersions: this.options.versions,
          capabilities: this.#offered,
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "fake", version: "1.2.3" } },
        });
      case "subscriptions/listen": {
        if (!isModern) throw new Refused(-32601, "no such method");
        this.#listeners.set(id, peer);
        const _meta = { "io.modelcontextprotocol/subscriptionId": id };
        const { notifications } = params;
        peer.send({
          jsonrpc: "2.0",
          method: "notifications/subscriptions/acknowledged",
          params: { _meta, notifications },
        });
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        this.#listeners.delete(id);
        return undefined;
      }
      case "tools/list":
        return listed(this.#page(params["cursor"]));
      case "tools/call":
        return this.#call(params, meta, id, peer, signal, done);
      case "resources/list":
        return listed({
          resources: Object.keys(this.options.resources ?? {}).map((uri) => ({ uri, name: uri })),
        });
      case "resources/read": {
        const contents = this.options.resources?.[String(params["uri"])];
        if (contents === undefined)
          throw new Refused(isModern ? -32602 : -32002, "no such resource", { uri: params["uri"] });
        return listed({ contents: [{ uri: params["uri"], ...contents }] });
      }
      case "prompts/list":
        return listed({
          prompts: Object.entries(this.options.prompts ?? {}).map(([name, prompt]) => ({
            name,
            ...(prompt.arguments === undefined ? {} : { arguments: prompt.arguments }),
          })),
        });
      case "prompts/get": {
        const prompt = this.options.prompts?.[String(params["name"])];
        if (prompt === undefined) throw new Refused(-32602, "no such prompt");
        const values = (params["arguments"] ?? {}) as Record<string, string>;
        const text = JSON.stringify(prompt.messages).replaceAll(
          /\{(\w+)\}/g,
          (_, name: string) => values[name] ?? "",
        );
        return done({ messages: JSON.parse(text) });
      }
      default:
        throw new Refused(-32601, `no such method: ${method}`);
    }
  }

  get #offered(): Json {
    return {
      tools: { listChanged: true },
      ...(this.options.resources === undefined ? {} : { resources: {} }),
      ...(this.options.prompts === undefined ? {} : { prompts: {} }),
    };
  }

  #initialize(params: Json): Json {
    const legacy = this.options.versions.filter((version) => version < MODERN);
    if (legacy.length === 0)
      throw new Refused(-32022, "unsupported version", { supported: this.options.versions });
    if (this.#phase !== "new") this.#problem("initialize twice");
    if (typeof params["clientInfo"] !== "object") throw new Refused(-32602, "clientInfo is missing");
    if (typeof params["capabilities"] !== "object") throw new Refused(-32602, "capabilities are missing");
    this.#phase = "initializing";
    this.#capabilities = params["capabilities"] as Json;
    const asked = String(params["protocolVersion"]);
    const protocolVersion = legacy.includes(asked) ? asked : legacy[0];
    return { protocolVersion, capabilities: this.#offered, serverInfo: { name: "fake", version: "1.2.3" } };
  }

  #checkModern(meta: Json): void {
    if (!this.options.versions.includes(String(meta[VERSION]))) {
      // A server without the modern era does not know the field, nor the methods.
      if (!this.options.versions.includes(MODERN)) throw new Refused(-32601, "no such method");
      throw new Refused(-32022, "unsupported version", { supported: this.options.versions });
    }
    if (typeof meta[CAPABILITIES] !== "object") throw new Refused(-32602, "clientCapabilities are missing");
    this.#era = "modern";
    this.#capabilities = meta[CAPABILITIES] as Json;
  }

  #page(cursor: unknown): Json {
    const { tools = {}, pageSize = 100 } = this.options;
    const all = Object.entries(tools).map(([name, { description, inputSchema, annotations }]) => ({
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: inputSchema ?? { type: "object" },
      ...(annotations === undefined ? {} : { annotations }),
    }));
    const start = Number(cursor ?? 0);
    const end = start + pageSize;
    return { tools: all.slice(start, end), ...(end < all.length ? { nextCursor: String(end) } : {}) };
  }

  async #call(
    params: Json,
    meta: Json,
    id: unknown,
    peer: Peer,
    signal: AbortSignal,
    done: (result: Json) => Json,
  ): Promise<Json> {
    const tool = this.options.tools?.[String(params["name"])];
    if (tool === undefined) throw new Refused(-32602, `unknown tool: ${String(params["name"])}`);
    const { progressToken } = meta;
    const state = params["requestState"];
    if (state !== undefined && !this.#states.has(String(state)))
      throw new Refused(-32602, "unknown requestState");
    const responses = Object.values((params["inputResponses"] ?? {}) as Json) as Json[];
    const context: ToolContext = {
      args: (params["arguments"] ?? {}) as Json,
      meta: (params["_meta"] ?? {}) as Json,
      signal,
      progress: (progress, total, message) => {
        if (progressToken === undefined) return;
        const progressed = { progressToken, progress, ...(total === undefined ? {} : { total }), message };
        peer.send({ jsonrpc: "2.0", method: "notifications/progress", params: progressed });
      },
      elicit: async (question) => {
        if (this.#capabilities["elicitation"] === undefined)
          throw new Refused(-32021, "elicitation is not declared");
        if (this.#era !== "modern") return this.#ask(question, peer);
        const [answer] = responses;
        if (answer === undefined) throw new InputNeeded(question);
        return answer;
      },
    };
    try {
      return done(await tool.run(context));
    } catch (error) {
      if (!(error instanceof InputNeeded)) throw error;
      const requestState = randomUUID();
      this.#states.set(requestState, id);
      const inputRequests = { question: { method: "elicitation/create", params: error.params } };
      return { resultType: "input_required", inputRequests, requestState };
    }
  }

  #ask(params: Json, peer: Peer): Promise<Json> {
    const id = `ask-${randomUUID()}`;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, (answer) => {
        if (answer["error"] === undefined) resolve(answer["result"] as Json);
        else reject(new Refused(-32603, `the client refused: ${JSON.stringify(answer["error"])}`));
      });
      peer.send({ jsonrpc: "2.0", id, method: "elicitation/create", params });
    });
  }
}
