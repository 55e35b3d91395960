import { ABORTED, untilAborted } from "../../core/async/until-aborted.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AcpPermissionRequest } from "../wire.js";
import type { AgentLink } from "./agent-link.js";
import type { AgentProgram, PermissionOutcome, SessionHandler } from "./agent-program.js";
import { endsWithText } from "./session-losses.js";

/** How long a program sends nothing when it has replayed all that our log has, and when it has not. */
const QUIET_MS = 200;
const SILENT_MS = 3000;

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
  /** Whether a stored session is resumed (default: true). */
  resume?: boolean | undefined;
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
  #onReplayed: (() => void) | undefined;

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
    else this.#observeReplay(this.#replay, update);
  }

  /** Our log has the messages already: they are compared, not stored. */
  #observeReplay(replay: string[], update: JsonObject): void {
    if (update["sessionUpdate"] === "agent_message_chunk") replay.push(textIn(update));
    this.#onReplayed?.();
  }

  /** Some programs still replay after they have answered `session/load`: waits until no update arrives for a while. */
  async #untilReplayed(isWhole: () => boolean): Promise<void> {
    try {
      for (let quiet = 0; quiet < (isWhole() ? QUIET_MS : SILENT_MS); quiet += QUIET_MS) {
        const next = new Promise<void>((resolve) => {
          this.#onReplayed = resolve;
        });
        if ((await untilAborted(next, AbortSignal.timeout(QUIET_MS))) !== ABORTED) quiet = -QUIET_MS;
      }
    } finally {
      this.#onReplayed = undefined;
    }
  }

  async onAsk(request: AcpPermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    return (await this.#handler?.onAsk(request, signal)) ?? { outcome: "cancelled" };
  }

  /**
   * Opens the session that was stored, or a new one if there is none or the program does not have it any more.
   *
   * @param answered the text of the answers that our log has
   */
  async open(stored: string | undefined, answered: string): Promise<OpenSession> {
    const program = await this.#options.link.program();
    if (this.#open?.program === program) return { program, id: this.#open.id, isNew: false };
    const resumed = stored === undefined ? undefined : await this.#resume(program, stored, answered);
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
  async #resume(
    program: AgentProgram,
    sessionId: string,
    answered: string,
  ): Promise<OpenSession | undefined> {
    const { cwd, servers, resume = true } = this.#options;
    const { loadSession, sessionCapabilities } = program.capabilities;
    const canResume = isObject(sessionCapabilities?.resume);
    if (!resume || (!canResume && loadSession !== true)) return undefined;
    const params = { sessionId, cwd, mcpServers: servers(program) };
    const detach = program.attach(sessionId, this);
    const replay: string[] = [];
    this.#replay = replay;
    try {
      await program.ask(canResume ? "session/resume" : "session/load", params);
      if (canResume) return { program, id: sessionId, isNew: false };
      await this.#untilReplayed(() => isWholeReplay(replay.join(""), answered));
      return { program, id: sessionId, isNew: false, replayed: replay.join("") };
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

/** Whether the program has replayed what our log has, or even more. */
function isWholeReplay(replayed: string, answered: string): boolean {
  const isInLog = replayed !== "" && endsWithText(answered, replayed);
  return isInLog || replayed.includes(answered);
}

function textIn({ content }: JsonObject): string {
  const text = isObject(content) ? content["text"] : undefined;
  return typeof text === "string" ? text : "";
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "acp/failed";
}
