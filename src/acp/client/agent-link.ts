import { DragomanError } from "../../core/error.js";
import { AgentProgram, type ProgramOptions } from "./agent-program.js";

/** A program that is started when first used and shared by all sessions. After it has died, the next use starts it again. */
export class AgentLink {
  readonly #options: () => ProgramOptions;
  #program: Promise<AgentProgram> | undefined;
  #isClosed = false;

  /** @param options read at each start, because they contain environment variables */
  constructor(options: () => ProgramOptions) {
    this.#options = options;
  }

  /** The running program. */
  async program(): Promise<AgentProgram> {
    if (this.#isClosed) throw new DragomanError("acp/unavailable", "the agent program is being stopped");
    this.#program ??= this.#start();
    const current = this.#program;
    const program = await current;
    if (!program.isOver) return program;
    if (this.#program === current) this.#program = undefined;
    return this.program();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const program = await this.#program?.catch(() => undefined);
    await program?.close();
  }

  async #start(): Promise<AgentProgram> {
    try {
      return await AgentProgram.start(this.#options());
    } catch (error) {
      this.#program = undefined;
      throw error;
    }
  }
}
