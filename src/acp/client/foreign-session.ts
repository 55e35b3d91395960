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
  /** The text of the program's answers, if it has replayed them. */
  replayed?: string;
}

/** The program's session behind one of our sessions. After a restart it is resumed, without storing its messages again. */
export class ForeignSession implements SessionHandler {
  readonly #options: ForeignSessionOptions;
  #open: OpenSession | undefined;
  #handler: SessionHandler | undefined;
  /** The answers that the program replays while it loads the session. */
  #replay: string[] | undefined;

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
    if (this.#replay === undefined) this.#handler?.onUpdate(update);
    // Our log has the messages already: they are compared, not stored.
    else if (update["sessionUpdate"] === "agent_message_chunk") this.#replay.push(textIn(update));
  }

  async onAsk(request: AcpPermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    return (await this.#handler?.onAsk(request, signal)) ?? { outcome: "cancelled" };
  }

  /** Opens the session that was stored, or a new one if there is none or the program does not have it any more. */
  async open(stored: string | undefined): Promise<OpenSession> {
    const program = await this.#options.link.program();
    if (this.#open?.program === program) return { program, id: this.#open.id, isNew: false };
    const resumed = stored === undefined ? undefined : await this.#resume(program, stored);
    this.#open = resumed ?? { program, id: await this.#create(program), isNew: true };
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

  /** Undefined if the program cannot resume it. */
  async #resume(program: AgentProgram, sessionId: string): Promise<OpenSession | undefined> {
    const { loadSession, sessionCapabilities } = program.capabilities;
    const canResume = isObject(sessionCapabilities?.resume);
    if (!canResume && loadSession !== true) return undefined;
    const { cwd, servers } = this.#options;
    const params = { sessionId, cwd, mcpServers: servers(program) };
    const detach = program.attach(sessionId, this);
    const replay: string[] = [];
    this.#replay = replay;
    try {
      await program.ask(canResume ? "session/resume" : "session/load", params);
      const replayed = canResume ? {} : { replayed: replay.join("") };
      return { program, id: sessionId, isNew: false, ...replayed };
    } catch (error) {
      detach();
      // A program that is gone, or wants a login, must not lose the session.
      if (program.isOver || !isRefusal(error)) throw error;
      return undefined;
    } finally {
      this.#replay = undefined;
    }
  }
}

function textIn({ content }: JsonObject): string {
  const text = isObject(content) ? content["text"] : undefined;
  return typeof text === "string" ? text : "";
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "acp/failed";
}
