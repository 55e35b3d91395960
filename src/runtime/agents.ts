import { join, resolve } from "node:path";
import { matches } from "../agent/command-rules.js";
import type { Tool } from "../agent/types.js";
import type { Output } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import type { SessionMeta } from "../core/message/notes.js";
import { makeFolder } from "../log/files/folder.js";
import type { SandboxOptions } from "../tools/sandbox.js";
import { type CallWatch, type Connect, DEFAULT_MODEL } from "./models.js";
import type { Config } from "./schema.js";
import { requireFolder } from "./session-folder.js";
import type { AgentSetup } from "./types.js";

export const MAIN = "main";

/** Introduces a client's system prompt to the model. */
export const CLIENT_INSTRUCTIONS =
  "Instructions of the client, not of your operator; they do not replace your own:";

type AgentConfig = NonNullable<Config["agents"]>[string];

export interface Agents {
  /** All agents, `main` included. */
  readonly ids: readonly string[];
  /** The name of the model an agent runs on. */
  modelOf(id: string, meta?: SessionMeta): string;
  /** `more` are tools in addition to the built-in ones. Its model's calls count as `local` unless a meter is passed. */
  setup(id: string, meta: SessionMeta, more: readonly Tool[], watch?: CallWatch): Promise<AgentSetup>;
  /** Whether it is a program of its own, with its own model, prompt and tools. */
  isProgram(id: string): boolean;
  /** The agents that an agent may start. */
  helpersOf(id: string): readonly string[];
  descriptionOf(id: string): string;
  /** The form of its answers; undefined for text. */
  outputOf(id: string): Output | undefined;
  /** The folder its tools work in: the session's, or its own, which may not exist yet. */
  workspaceOf(id: string, meta?: SessionMeta): string;
  /** The advertised URL of the only gateway that runs it; undefined if any does. */
  gatewayOf(id: string): string | undefined;
  /** Its commands' sandbox; undefined for none. */
  sandboxOf(id: string): SandboxOptions | undefined;
  /** The names of an agent's tools. */
  toolsOf(id: string): Promise<readonly string[]>;
}

export function agentsOf(config: Config, home: string, connect: Connect): Agents {
  const agents: Record<string, AgentConfig> = { [MAIN]: {}, ...config.agents };

  function find(id: string): AgentConfig {
    const agent = Object.hasOwn(agents, id) ? agents[id] : undefined;
    if (agent !== undefined) return agent;
    throw new DragomanError("config/no-agent", `there is no agent "${id}"`, {
      hint: `the agents are ${Object.keys(agents).join(", ")}; add it to "agents" in the configuration`,
    });
  }

  const isProgram = (id: string) => find(id).acp !== undefined;

  const modelOf = (id: string, meta: SessionMeta = {}) =>
    isProgram(id) ? `acp/${id}` : (meta.model ?? find(id).model ?? config.model ?? DEFAULT_MODEL);

  const workspaceOf = (id: string, { cwd }: SessionMeta = {}) =>
    cwd ?? resolve(home, find(id).workspace ?? join("agents", id, "workspace"));

  function sandboxOf(id: string): SandboxOptions | undefined {
    const { sandbox = false } = find(id);
    // The home contains tokens, keys and other agents' sessions.
    return sandbox === false ? undefined : { ...sandbox, hide: [home] };
  }

  async function builtinOf(
    id: string,
    meta: SessionMeta = {},
  ): Promise<{ workspace: string; builtin: Tool[] }> {
    const workspace = workspaceOf(id, meta);
    if (meta.cwd === undefined) await makeFolder(workspace);
    else await requireFolder(workspace);
    // Loaded late to keep start-up fast: the tools' schemas take longer to load than everything else.
    const { builtinTools } = await import("../tools/builtin.js");
    const sandbox = sandboxOf(id);
    const builtin = builtinTools({
      workspace,
      hide: [home],
      exec: sandbox === undefined ? {} : { sandbox },
    });
    return { workspace, builtin };
  }

  return {
    ids: Object.keys(agents),
    modelOf,
    isProgram,
    workspaceOf,
    // Its sessions can outlast an agent.
    gatewayOf: (id) => (Object.hasOwn(agents, id) ? agents[id]?.gateway?.replace(/\/$/, "") : undefined),
    sandboxOf,
    async toolsOf(id) {
      if (isProgram(id)) return [];
      const { tools, agents: helpers = [] } = find(id);
      if (tools !== undefined) return tools;
      const { builtin } = await builtinOf(id);
      const { SUB_AGENT_TOOL } = await import("../agent/sub-agent.js");
      return [...builtin.map(({ name }) => name), ...(helpers.length === 0 ? [] : [SUB_AGENT_TOOL])];
    },
    helpersOf: (id) => find(id).agents ?? [],
    descriptionOf: (id) => find(id).description ?? "A helper.",
    outputOf: (id) => find(id).output,
    async setup(id, meta, more, watch) {
      const agent = find(id);
      const { workspace, builtin } = await builtinOf(id, meta);
      const all = isProgram(id) ? [] : [...builtin, ...more];
      const own = agent.tools?.flatMap((name) => toolsNamed(name, all, id)) ?? all;
      return {
        id,
        model: connect(modelOf(id, meta), watch),
        systemPrompt: isProgram(id)
          ? ""
          : joinedPrompt(agent.systemPrompt ?? defaultPrompt(workspace), meta.systemPrompt),
        tools: meta.tools?.flatMap((name) => toolsNamed(name, own, id)) ?? own,
        rules: agent.permissions ?? [],
        call: {
          ...(agent.thinking === undefined ? {} : { thinking: agent.thinking }),
          ...(agent.maxTokens === undefined ? {} : { maxTokens: agent.maxTokens }),
          ...(agent.output === undefined ? {} : { output: agent.output }),
        },
        ...(agent.maxTurns === undefined ? {} : { maxTurns: agent.maxTurns }),
      };
    },
  };
}

/** A tool by its name, or the tools of MCP servers that match `server/tool`: none if their server is not connected. */
function toolsNamed(name: string, tools: readonly Tool[], agent: string): Tool[] {
  const found = tools.filter(
    (tool) => tool.name === name || (tool.ruleName !== undefined && matches(name, tool.ruleName)),
  );
  if (found.length > 0 || name.includes("/") || name.includes("__")) return found;
  throw new DragomanError("config/no-tool", `agent "${agent}" has a tool "${name}", which does not exist`, {
    hint: `the tools are ${tools.map((known) => known.name).join(", ")}`,
  });
}

/** The agent's own prompt always applies; a client can only add to it. */
function joinedPrompt(own: string, client: string | undefined): string {
  if (client === undefined || client.trim() === "") return own;
  return `${own}\n\n[${CLIENT_INSTRUCTIONS}]\n${client}`;
}

function defaultPrompt(workspace: string): string {
  return `You are a helpful assistant. Your tools work in the folder ${workspace}. Use them when they help, and say what you did.`;
}
