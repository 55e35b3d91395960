import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Tool } from "../agent/types.js";
import { DragomanError } from "../core/error.js";
import type { SessionMeta } from "../core/notes.js";
import { type Connect, DEFAULT_MODEL } from "./models.js";
import type { Config } from "./schema.js";
import type { AgentSetup } from "./types.js";

export const MAIN = "main";

type AgentConfig = NonNullable<Config["agents"]>[string];

export interface Agents {
  /** Every agent there is; `main` is one of them. */
  readonly ids: readonly string[];
  /** The name of the model an agent runs on. */
  modelOf(id: string, meta?: SessionMeta): string;
  /** `more` are tools beside those the agent has by itself. */
  setup(id: string, meta: SessionMeta, more: readonly Tool[]): Promise<AgentSetup>;
  /** The agents that an agent may start. */
  helpersOf(id: string): readonly string[];
  descriptionOf(id: string): string;
}

/** The agents of a configuration. */
export function agentsOf(config: Config, home: string, connect: Connect): Agents {
  const agents: Record<string, AgentConfig> = { [MAIN]: {}, ...config.agents };

  function find(id: string): AgentConfig {
    const agent = Object.hasOwn(agents, id) ? agents[id] : undefined;
    if (agent !== undefined) return agent;
    throw new DragomanError("config/no-agent", `there is no agent "${id}"`, {
      hint: `there are ${Object.keys(agents).join(", ")}; add it to "agents" in the configuration`,
    });
  }

  const modelOf = (id: string, meta: SessionMeta = {}) =>
    meta.model ?? find(id).model ?? config.model ?? DEFAULT_MODEL;

  return {
    ids: Object.keys(agents),
    modelOf,
    helpersOf: (id) => find(id).agents ?? [],
    descriptionOf: (id) => find(id).description ?? "A helper.",
    async setup(id, meta, more) {
      const agent = find(id);
      const workspace = resolve(home, agent.workspace ?? join("agents", id, "workspace"));
      await mkdir(workspace, { recursive: true });
      // The schemas of the tools take longer to load than everything else: a start need not wait for them.
      const { builtinTools } = await import("../tools/builtin.js");
      const all = [...builtinTools({ workspace }), ...more];
      return {
        id,
        model: connect(modelOf(id, meta)),
        systemPrompt: agent.systemPrompt ?? defaultPrompt(workspace),
        tools: agent.tools === undefined ? all : agent.tools.map((name) => toolNamed(name, all, id)),
        rules: agent.permissions ?? [],
        call: agent.thinking === undefined ? {} : { thinking: agent.thinking },
        ...(agent.maxTurns === undefined ? {} : { maxTurns: agent.maxTurns }),
      };
    },
  };
}

function toolNamed(name: string, tools: readonly Tool[], agent: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  throw new DragomanError(
    "config/no-tool",
    `agent "${agent}" is given a tool "${name}", which does not exist`,
    {
      hint: `there are ${tools.map((known) => known.name).join(", ")}`,
    },
  );
}

function defaultPrompt(workspace: string): string {
  return `You are a helpful assistant. Your tools work in the folder ${workspace}. Use them when they help, and say what you did.`;
}
