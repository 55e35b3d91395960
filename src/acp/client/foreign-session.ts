import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AcpPermissionRequest } from "../wire.js";
import type { AgentLink } from "./agent-link.js";
import type { AgentProgram, PermissionOutcome, SessionHandler } from "./agent-program.js";

/** What is stored about the program's session that belongs to one of ours. */
export interface SessionState {
  /** The program's session. */
  session: string;
  /** The id of the last message that was handed to the program. */
  prompted?: string;
}

export interface ForeignSessionOptions {
  link: AgentLink;
  /** The folder that the program works in. */
  cwd: string;
  /** The MCP servers for the program, in the protocol's form. */
  servers(program: AgentProgram): object[];
}

/** An open session of a program. */
export interface OpenSession {
  program: AgentProgram;
  id: string;
  /** Whether the program knows nothing of our session's earlier messages. */
  isNew: boolean;
}

/** The program's session behind one of our sessions. After a restart it is resumed, without storing its messages again. */
export class ForeignSession implements SessionHandler {
  readonly #options: ForeignSessionOptions;
  #open: OpenSession | undefined;
  #handler: SessionHandler | undefined;
  #isLoading = false;

  constructor(options: ForeignSessionOptions) {
    this.#options = options;
  }

  /** Receives what the program sends during a run. Returns a function that stops it. */
  listen(handler: SessionHandler): () => void {
    this.#handler = handler;
    return () => {
      if (this.#handler === handler) this.#handler = undefined;
    };
  }

  onUpdate(update: JsonObject): void {
    // A loaded session is replayed; our log has its messages already.
    if (!this.#isLoading) this.#handler?.onUpdate(update);
  }

  async onAsk(request: AcpPermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    return (await this.#handler?.onAsk(request, signal)) ?? { outcome: "cancelled" };
  }

  /** Opens the session that was stored, or a new one if there is none or the program does not have it any more. */
  async open(stored: string | undefined): Promise<OpenSession> {
    const program = await this.#options.link.program();
    if (this.#open?.program === program) return { ...this.#open, isNew: false };
    const resumed = stored !== undefined && (await this.#resume(program, stored));
    const id = resumed ? stored : await this.#create(program);
    this.#open = { program, id, isNew: !resumed };
    return this.#open;
  }

  async #create(program: AgentProgram): Promise<string> {
    const { cwd, servers } = this.#options;
    const answer = await program.ask("session/new", { cwd, mcpServers: servers(program) });
    const id = isObject(answer) ? answer["sessionId"] : undefined;
    if (typeof id !== "string") throw new Error("the agent program answered session/new without a sessionId");
    program.attach(id, this);
    return id;
  }

  /** False if the program cannot resume it. */
  async #resume(program: AgentProgram, sessionId: string): Promise<boolean> {
    const { loadSession, sessionCapabilities } = program.capabilities;
    const canResume = isObject(sessionCapabilities?.resume);
    if (!canResume && loadSession !== true) return false;
    const { cwd, servers } = this.#options;
    const params = { sessionId, cwd, mcpServers: servers(program) };
    const detach = program.attach(sessionId, this);
    this.#isLoading = true;
    try {
      await program.ask(canResume ? "session/resume" : "session/load", params);
      return true;
    } catch (error) {
      detach();
      // A program that is gone, or wants a login, must not lose the session.
      if (program.isOver || !isRefusal(error)) throw error;
      return false;
    } finally {
      this.#isLoading = false;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "acp/failed";
}
