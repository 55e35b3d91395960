import * as Type from "@sinclair/typebox";
import type { TraceContext } from "../core/trace-context.js";
import type { AgentCompleteMessage } from "../core/types.js";
import type { Tool } from "./types.js";

/** An agent that other agents can delegate to. */
export interface SubAgent {
  name: string;
  /** What it is good for, worded for the model that may delegate to it. */
  description: string;
}

export interface SubAgentTask {
  agent: string;
  prompt: string;
  /** The delegating call: the sub-agent's session names it as its parent. */
  toolCallId: string;
  /** 1 for an agent that a top-level agent has started. */
  depth: number;
  signal: AbortSignal;
  /** Shows its progress. */
  update(text: string): void;
  /** The delegating call's place in a trace (default: it is not traced). */
  trace?: TraceContext | undefined;
}

export interface SubAgentAnswer {
  /** The sub-agent's session. */
  session: string;
  text: string;
  isError?: boolean;
}

export interface SubAgentOptions {
  agents: readonly SubAgent[];
  /** Runs an agent in a session of its own, and returns its last answer. */
  start(task: SubAgentTask): Promise<SubAgentAnswer>;
  /** The depth of the agent with this tool (default: 0). */
  depth?: number;
  /** The greatest depth of an agent (default: 3). */
  maxDepth?: number;
  now?: () => number;
}

export const SUB_AGENT_TOOL = "agent";

const MAX_DEPTH = 3;

const parameters = (names: readonly string[]) =>
  Type.Object({
    agent: Type.Unsafe<string>({ type: "string", enum: names }),
    prompt: Type.String({
      description:
        "The whole task. The agent sees nothing else of this conversation, and only its last answer comes back.",
    }),
  });

/**
 * A tool by which a model delegates to other agents. The result is the agent's answer, with its session in the details. In
 * the log an `agentComplete` message follows, which models are not shown because they have read the result.
 *
 * @example
 * const tool = subAgentTool({ agents: [{ name: "scout", description: "Finds things out." }], start });
 */
export function subAgentTool(options: SubAgentOptions): Tool {
  const { agents, start, depth = 0, maxDepth = MAX_DEPTH, now = Date.now } = options;
  const list = agents.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  const tool: Tool<ReturnType<typeof parameters>, { session: string }> = {
    name: SUB_AGENT_TOOL,
    description: `Gives a task to another agent and waits for its answer. There are:\n${list}`,
    parameters: parameters(agents.map(({ name }) => name)),
    subject: ({ agent }) => agent,
    async execute({ agent, prompt }, { toolCallId, signal, update, trace }) {
      if (depth >= maxDepth) {
        return {
          content: `agents may start agents no more than ${maxDepth} deep; do it yourself`,
          isError: true,
        };
      }
      const show = (text: string) => update({ content: text });
      const answer = await start({
        agent,
        prompt,
        toolCallId,
        depth: depth + 1,
        signal,
        update: show,
        trace,
      });
      const { session, text, isError = false } = answer;
      const complete: AgentCompleteMessage = {
        role: "agentComplete",
        agentId: session,
        sender: agent,
        result: text,
        timestamp: now(),
        ext: { subAgent: { toolCallId } },
      };
      return { content: text, details: { session }, isError, afterwards: [complete] };
    },
  };
  return tool;
}
