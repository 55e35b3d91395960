import type { AgentLink } from "../acp/client/agent-link.js";
import type { AgentProgram, ProgramInput } from "../acp/client/agent-program.js";
import type { ForeignSession } from "../acp/client/foreign-session.js";
import { DragomanError } from "../core/error.js";
import type { SessionMeta } from "../core/message/notes.js";
import type { Environment } from "../providers/keys.js";
import type { ProcessCommand, ProcessEvents } from "../tools/message-process.js";
import type { Conversation } from "./conversation.js";
import type { Config } from "./schema.js";
import type { AgentSetup } from "./types.js";

export type StartProgram = (program: ProcessCommand, events: ProcessEvents) => ProgramInput;

export interface ProgramAgentsOptions {
  config(): Config;
  home: string;
  env: Environment;
  /** A line for the log, from an agent's program or about it. */
  onLine(agent: string, line: string): void;
  /** Starts a program (default: as a child process). */
  start?: StartProgram | undefined;
}

/** The agents that are programs. Each program is started when first used, and shared by the agent's sessions. */
export class ProgramAgents {
  readonly #options: ProgramAgentsOptions;
  readonly #links = new Map<string, Promise<AgentLink>>();
  /** By the ids of our sessions. They outlive conversations, because a program may refuse to open a session twice. */
  readonly #sessions = new Map<string, ForeignSession>();

  constructor(options: ProgramAgentsOptions) {
    this.#options = options;
  }

  get ids(): string[] {
    const agents = Object.entries(this.#options.config().agents ?? {});
    return agents.flatMap(([id, { acp }]) => (acp === undefined ? [] : [id]));
  }

  /** Starts an agent's program, unless it is running. Fulfilled when it is ready for sessions. */
  async start(agent: string): Promise<AgentProgram> {
    return (await this.#link(agent)).program();
  }

  /** What runs the agent in a conversation; undefined if it is not a program. */
  runnerOf(
    agent: string,
    meta: SessionMeta,
    conversation: Conversation,
    workspace: string,
  ): Pick<AgentSetup, "run"> | undefined {
    if (this.#options.config().agents?.[agent]?.acp === undefined) return undefined;
    const { id } = conversation.session;
    // A copied session has the metadata of the original, whose program session it must not continue.
    const stored = meta.acp?.owner === id ? meta.acp : undefined;
    const open = () => this.#session(agent, id, workspace);
    return {
      async *run(prompts, options) {
        const { runProgram } = await import("../acp/client/run-program.js");
        yield* runProgram(prompts, options, {
          agent,
          session: await open(),
          stored,
          store: (state) => conversation.describe({ acp: { owner: id, ...state } }),
        });
      },
    };
  }

  /** Ends all programs. */
  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map(async (link) => (await link).close()));
  }

  async #session(agent: string, id: string, cwd: string): Promise<ForeignSession> {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const { ForeignSession } = await import("../acp/client/foreign-session.js");
    const { serversFor } = await import("../acp/client/passed-servers.js");
    const { env, onLine } = this.#options;
    const config = this.#options.config();
    const session = new ForeignSession({
      link: await this.#link(agent),
      cwd,
      resume: config.agents?.[agent]?.acp?.resume,
      servers: (program: AgentProgram) =>
        serversFor(
          { ...config.mcpServers, ...config.agents?.[agent]?.mcpServers },
          { env, program, onProblem: (text) => onLine(agent, text) },
        ),
    });
    this.#sessions.set(id, session);
    return session;
  }

  #link(agent: string): Promise<AgentLink> {
    const known = this.#links.get(agent);
    if (known !== undefined) return known;
    const link = this.#makeLink(agent);
    this.#links.set(agent, link);
    return link;
  }

  async #makeLink(agent: string): Promise<AgentLink> {
    const { AgentLink } = await import("../acp/client/agent-link.js");
    const { expandVariables } = await import("../mcp/client/expand-variables.js");
    const { ownName } = await import("../mcp/own-name.js");
    const { withoutSecrets } = await import("../tools/environment.js");
    const { MessageProcess } = await import("../tools/message-process.js");
    const { config, home, env, onLine } = this.#options;
    const errors = { ended: "acp/unavailable", unreadable: "acp/failed" } as const;
    const { start = (program, events) => new MessageProcess(program, events, errors) } = this.#options;
    const settings = config().agents?.[agent]?.acp;
    if (settings === undefined) throw new DragomanError("config/no-agent", `there is no program "${agent}"`);
    return new AgentLink(() => {
      const secrets: string[] = [];
      const expand = (text: string) => expandVariables(text, env, secrets);
      const { command, args = [], env: own = {}, authMethod } = settings;
      const variables = Object.entries(own).map(([name, text]) => [name, expand(text)] as const);
      const program = {
        command: expand(command),
        args: args.map(expand),
        env: { ...withoutSecrets(process.env), ...Object.fromEntries(variables) },
        cwd: home,
      };
      return {
        name: command,
        start: (events) => start(program, events),
        version: ownName().version,
        ...(authMethod === undefined ? {} : { authMethod }),
        onLine: (line) => onLine(agent, line),
      };
    });
  }
}
