import { DragomanError, wordsOf } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { ProcessEvents } from "../../tools/message-process.js";
import { acp } from "../checks.js";
import { CODES, PROTOCOL_VERSION } from "../codes.js";
import { Peer, RequestError } from "../peer.js";
import type { AcpInitialized, AcpPermissionRequest } from "../wire.js";

export type PermissionOutcome = { outcome: "selected"; optionId: string } | { outcome: "cancelled" };

/** Receives what a program sends about one of its sessions. */
export interface SessionHandler {
  onUpdate(update: JsonObject): void;
  onAsk(request: AcpPermissionRequest, signal: AbortSignal): Promise<PermissionOutcome>;
}

/** The standard input of a running program. */
export interface ProgramInput {
  write(line: string): Promise<void>;
  close(): Promise<void>;
}

export interface ProgramOptions {
  /** The program's name in errors. */
  name: string;
  /** Starts the program; the events have what it writes. */
  start(events: ProcessEvents): ProgramInput;
  version: string;
  authMethod?: string;
  /** A line for the log, from the program or about it. */
  onLine(line: string): void;
}

/** How long a program has for an answer that needs no model. Programs that `npx` installs first need minutes. */
const PATIENCE_MS = 180_000;

const CANCELLED: PermissionOutcome = { outcome: "cancelled" };

/** A running program that speaks the Agent Client Protocol, version 1. We give it no files and no terminals. */
export class AgentProgram {
  readonly #options: ProgramOptions;
  readonly #input: ProgramInput;
  readonly #peer: Peer;
  readonly #handlers = new Map<string, SessionHandler>();
  #initialized: AcpInitialized = { protocolVersion: PROTOCOL_VERSION };
  #why: Error | undefined;

  private constructor(options: ProgramOptions) {
    this.#options = options;
    this.#peer = new Peer({
      write: (text) => void this.#input.write(text).catch(() => undefined),
      onRequest: (method, params, signal) => this.#handle(method, params, signal),
      onNotification: (method, params) => this.#observe(method, params),
      onProblem: (text, error) => options.onLine(error === undefined ? text : `${text}: ${wordsOf(error)}`),
    });
    this.#input = options.start({
      onMessage: (message) => this.#peer.accept(message),
      onLine: options.onLine,
      onClose: (why) => this.#end(why),
    });
  }

  /** Starts the program. Fulfilled when it is ready for sessions. */
  static async start(options: ProgramOptions): Promise<AgentProgram> {
    const program = new AgentProgram(options);
    try {
      await program.#initialize();
      return program;
    } catch (error) {
      await program.close();
      throw error;
    }
  }

  get capabilities(): NonNullable<AcpInitialized["agentCapabilities"]> {
    return this.#initialized.agentCapabilities ?? {};
  }

  /** The name and version that the program states, or else its command. */
  get title(): string {
    const { name, version } = this.#initialized.agentInfo ?? { name: this.#options.name };
    return version == null ? name : `${name} ${version}`;
  }

  get isOver(): boolean {
    return this.#why !== undefined;
  }

  /** Sends a request that needs no model, and therefore has a time limit. */
  async ask(method: string, params: object): Promise<unknown> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    try {
      return await this.request(method, params, limit);
    } catch (error) {
      if (!limit.aborted) throw error;
      throw this.#unavailable(`it did not answer ${method} within ${PATIENCE_MS / 1000} seconds`);
    }
  }

  async request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    try {
      return await this.#peer.request(method, params, signal);
    } catch (error) {
      if (this.#why !== undefined) throw this.#unavailable(wordsOf(this.#why));
      if (error instanceof RequestError) throw this.#failed(method, error);
      throw error;
    }
  }

  notify(method: string, params: object): void {
    this.#peer.notify(method, params);
  }

  /** Passes on what the program sends about a session. Returns a function that stops it. */
  attach(session: string, handler: SessionHandler): () => void {
    this.#handlers.set(session, handler);
    return () => {
      if (this.#handlers.get(session) === handler) this.#handlers.delete(session);
    };
  }

  /** Ends the program: its input is closed, and what is left of its process group is killed after a while. */
  async close(): Promise<void> {
    this.#end(new DragomanError("acp/unavailable", "it was stopped"));
    await this.#input.close();
  }

  async #initialize(): Promise<void> {
    const { authMethod, version } = this.#options;
    const answer = await this.ask("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "dragoman", title: "Dragoman", version },
    });
    this.#initialized = acp.parse("AcpInitialized", answer);
    const { protocolVersion, authMethods = [] } = this.#initialized;
    if (protocolVersion !== PROTOCOL_VERSION) {
      throw this.#unavailable(
        `it speaks version ${protocolVersion} of the protocol, not version ${PROTOCOL_VERSION}`,
      );
    }
    if (authMethod === undefined) return;
    if (!authMethods.some(({ id }) => id === authMethod)) {
      const names = authMethods.map(({ id }) => id).join(", ");
      throw new DragomanError("acp/login", `the program has no login method ${JSON.stringify(authMethod)}`, {
        hint: names === "" ? "remove `authMethod` from its settings" : `its methods are ${names}`,
      });
    }
    await this.ask("authenticate", { methodId: authMethod });
  }

  async #handle(method: string, params: unknown, signal: AbortSignal): Promise<object> {
    if (method !== "session/request_permission") {
      throw new RequestError(CODES.noMethod, `Method not found: ${method}`);
    }
    const checked = acp.check("AcpPermissionRequest", params);
    if ("mismatches" in checked) throw new RequestError(CODES.invalidParams, "Invalid params");
    const handler = this.#handlers.get(checked.value.sessionId);
    return { outcome: (await handler?.onAsk(checked.value, signal)) ?? CANCELLED };
  }

  #observe(method: string, params: unknown): void {
    if (method !== "session/update") return;
    const { sessionId, update } = acp.parse("AcpSessionUpdate", params);
    if (isObject(update)) this.#handlers.get(sessionId)?.onUpdate(update);
  }

  #end(why: Error): void {
    this.#why ??= why;
    this.#peer.close();
  }

  #unavailable(why: string): DragomanError {
    const name = JSON.stringify(this.#options.name);
    return new DragomanError("acp/unavailable", `the agent program ${name} failed: ${why}`);
  }

  #failed(method: string, { code, message, data }: RequestError): DragomanError {
    if (code === CODES.loginRequired) {
      const { authMethods = [] } = this.#initialized;
      const names = authMethods.map(({ id }) => id).join(", ");
      return new DragomanError("acp/login", `the agent program requires a login: ${message}`, {
        hint: `log in with the program itself, or set \`authMethod\`${names === "" ? "" : ` (${names})`} and its variables in \`env\``,
      });
    }
    const { details, message: more } = isObject(data) ? data : {};
    const reason = [details, more].find((value) => typeof value === "string");
    const words = reason === undefined ? message : `${message}: ${String(reason)}`;
    return new DragomanError("acp/failed", `the agent program failed at ${method}: ${words}`, {
      details: { code },
    });
  }
}
