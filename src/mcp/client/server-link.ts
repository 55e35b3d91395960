import { backoff } from "../../core/async/backoff.js";
import { type Clock, systemClock } from "../../core/async/clock.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import { redactSecrets } from "../../core/secrets.js";
import type { McpServerSettings } from "../settings.js";
import type { McpPrompt, McpTool } from "../wire.js";
import { type ListName, McpClient } from "./client.js";
import { SessionExpired } from "./http-transport.js";
import type { OpenableServer } from "./open-server.js";

/**
 * `starting`: the first attempt is under way. `waiting`: it failed, and is tried again. `failed`: it is not tried again, because
 * the settings have to change first.
 */
export type ServerState = "starting" | "ready" | "waiting" | "failed" | "closed";

export interface LinkOptions {
  settings: McpServerSettings;
  /** Throws if the settings are unusable. */
  prepare(): OpenableServer;
  /** A line for the log. */
  onLine(line: string): void;
  /** The state or a list has changed. */
  onChange(): void;
  clock?: Clock;
}

const BACKOFF = { firstMs: 1000, longestMs: 60_000 };
/** A server that refuses access does so until a person changes something. */
const REFUSED_BACKOFF = { firstMs: 60_000, longestMs: 300_000 };
/** A connection that lasted this long was not a failed attempt. */
const STABLE_MS = 60_000;

/** One server: connected once for all sessions, and connected again when it is lost. */
export class ServerLink {
  readonly #options: LinkOptions;
  readonly #clock: Clock;
  #state: ServerState = "starting";
  #why: string | undefined;
  #kind: OpenableServer["kind"];
  #secrets: readonly string[] = [];
  #client: McpClient | undefined;
  #connecting: Promise<McpClient> | undefined;
  #tools: readonly McpTool[] = [];
  #prompts: readonly McpPrompt[] = [];
  #failures = 0;
  #cancelRetry = () => {};

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#kind = options.settings.url === undefined ? "stdio" : "http";
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Why it is not ready. */
  get why(): string | undefined {
    return this.#why;
  }

  get kind(): OpenableServer["kind"] {
    return this.#kind;
  }

  get agreement(): McpClient["agreement"] | undefined {
    return this.#client?.agreement;
  }

  /** The tools that the server had when it was last connected, so that an interruption does not change an agent's tools. */
  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  get prompts(): readonly McpPrompt[] {
    return this.#prompts;
  }

  /** Connects. Fulfilled when the first attempt has succeeded or failed. */
  async start(): Promise<void> {
    await this.#connect().catch(() => undefined);
  }

  /** Uses the connection; a server that is not connected is connected first. */
  async use<T>(work: (client: McpClient) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#connect());
    } catch (error) {
      if (!(error instanceof SessionExpired)) throw this.#cleaned(error);
    }
    // The server has not read the request, so it can be sent again.
    await this.#drop();
    try {
      return await work(await this.#connect());
    } catch (error) {
      throw this.#cleaned(error);
    }
  }

  async close(): Promise<void> {
    this.#setState("closed");
    this.#cancelRetry();
    const client = this.#client ?? (await this.#connecting?.catch(() => undefined));
    this.#client = undefined;
    await client?.close();
  }

  #connect(): Promise<McpClient> {
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    this.#cancelRetry();
    this.#connecting ??= this.#attempt().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #attempt(): Promise<McpClient> {
    if (this.#state === "closed") throw new DragomanError("mcp/unavailable", "the server was stopped");
    const startedAt = this.#clock.now();
    let client: McpClient | undefined;
    try {
      const server = this.#options.prepare();
      this.#secrets = server.secrets;
      client = await McpClient.connect({
        open: server.open,
        ...(this.#options.settings.era === undefined ? {} : { era: this.#options.settings.era }),
        onChange: (list) => void this.#refresh(list),
        onLine: (line) => this.#note(line),
        onClose: (why) => this.#lose(why, startedAt),
      });
      await this.#load(client);
    } catch (error) {
      await client?.close();
      this.#fail(error);
      throw this.#cleaned(error);
    }
    if (this.state === "closed") {
      await client.close();
      throw new DragomanError("mcp/unavailable", "the server was stopped");
    }
    this.#client = client;
    this.#setState("ready");
    return client;
  }

  async #load(client: McpClient): Promise<void> {
    this.#tools = await client.listTools((problem) => this.#note(problem));
    this.#prompts = await client.listPrompts((problem) => this.#note(problem));
  }

  async #refresh(list: ListName): Promise<void> {
    const client = this.#client;
    if (client === undefined || list === "resources") return;
    try {
      if (list === "tools") this.#tools = await client.listTools((problem) => this.#note(problem));
      else this.#prompts = await client.listPrompts((problem) => this.#note(problem));
      this.#options.onChange();
    } catch (error) {
      this.#note(`its list of ${list} cannot be read: ${wordsOf(error)}`);
    }
  }

  #lose(why: Error, startedAt: number): void {
    // A connection that is lost before it was ready fails its attempt.
    if (this.#client === undefined) return;
    this.#client = undefined;
    if (this.#clock.now() - startedAt > STABLE_MS) this.#failures = 0;
    this.#fail(why);
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
  }

  #fail(error: unknown): void {
    if (this.#state === "closed") return;
    const why = this.#words(error);
    const code = error instanceof DragomanError ? error.code : undefined;
    if (code === "mcp/bad-settings") {
      this.#setState("failed", why);
      return;
    }
    this.#setState("waiting", why);
    const pace = code === "mcp/unauthorized" ? REFUSED_BACKOFF : BACKOFF;
    const delay = backoff(this.#failures++, { ...pace, random: this.#clock.random });
    this.#cancelRetry = this.#clock.after(delay, () => void this.start());
  }

  #setState(state: ServerState, why?: string): void {
    if (this.#state === "closed" || (this.#state === state && this.#why === why)) return;
    this.#state = state;
    this.#why = why;
    this.#options.onChange();
  }

  #note(line: string): void {
    this.#options.onLine(redactSecrets(line, this.#secrets));
  }

  #words(error: unknown): string {
    const hint = error instanceof DragomanError && error.hint !== undefined ? `; ${error.hint}` : "";
    return redactSecrets(`${wordsOf(error)}${hint}`, this.#secrets);
  }

  /** The same error without secrets: a server can repeat them. */
  #cleaned(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const message = redactSecrets(error.message, this.#secrets);
    if (message === error.message) return error;
    return new DragomanError(error instanceof DragomanError ? error.code : "mcp/failed", message);
  }
}
