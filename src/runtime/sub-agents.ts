import type { SubAgentAnswer, SubAgentTask } from "../agent/sub-agent.js";
import type { Tool } from "../agent/types.js";
import { failureIn } from "../core/message/failure.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import type { NewSession } from "../log/types.js";
import type { Agents } from "./agents.js";
import type { Conversation } from "./conversation.js";
import { PermissionRelay } from "./permission-relay.js";
import { sentBy } from "./sent-mark.js";

const TITLE_LENGTH = 80;

export interface SubAgentHost {
  agents: Agents;
  begin(session: NewSession): Promise<Conversation>;
  /** The depth of a session's agent: 0 for a top-level agent. */
  depthOf(session: string): number;
  setDepth(session: string, depth: number): void;
}

/** The tool by which an agent delegates to the agents it may start; none if it may start none. */
export async function subAgentTools(
  agent: string,
  parent: Conversation,
  host: SubAgentHost,
): Promise<Tool[]> {
  const helpers = host.agents.helpersOf(agent);
  if (helpers.length === 0) return [];
  const { subAgentTool } = await import("../agent/sub-agent.js");
  return [
    subAgentTool({
      agents: helpers.map((name) => ({ name, description: host.agents.descriptionOf(name) })),
      depth: host.depthOf(parent.session.id),
      start: (task) => runSubAgent(task, parent, host),
    }),
  ];
}

/** Runs an agent in a session of its own. Its permission requests go to the parent's approvers. */
async function runSubAgent(
  task: SubAgentTask,
  parent: Conversation,
  host: SubAgentHost,
): Promise<SubAgentAnswer> {
  const { agent, prompt, toolCallId, depth, signal, update, trace } = task;
  const title = prompt.length > TITLE_LENGTH ? `${prompt.slice(0, TITLE_LENGTH)}…` : prompt;
  const { cwd } = await parent.meta();
  const child = await host.begin({
    agent,
    title,
    parent: { session: parent.session.id, toolCallId },
    ...(cwd === undefined ? {} : { meta: { cwd } }),
  });
  host.setDepth(child.session.id, depth);
  const relay = new PermissionRelay(child.permissions, parent.permissions, signal);
  const stop = child.watch(
    (event) => {
      if (event.type === "permission") relay.ask(event.request).catch(() => child.abort());
      if (event.type === "permission_end") relay.end(event.id);
      if (event.type === "agent" && event.event.type === "message_end") update(textOf(event.event.message));
    },
    { asks: parent.permissions.canAsk },
  );
  const abort = () => child.abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const sender = parent.session.id;
    const message: UserMessage = { role: "user", content: prompt, timestamp: Date.now(), sender };
    await child.send(sentBy(parent.payer, message, trace));
    if (signal.aborted) abort();
    await child.idle();
    return { session: child.session.id, ...outcome(await child.messages()) };
  } finally {
    signal.removeEventListener("abort", abort);
    stop();
  }
}

function outcome(messages: readonly AgentMessage[]): { text: string; isError?: boolean } {
  const last = messages.findLast(({ role }) => role === "assistant" || role === "error");
  if (last === undefined) return { text: "the agent gave no answer", isError: true };
  const text = textOf(last);
  const isStopped = last.role === "assistant" && last.stopReason === "aborted";
  const failure = isStopped ? "the agent was stopped" : failureIn(last)?.message;
  if (failure === undefined) return { text };
  return { text: text === "" ? failure : `${text}\n(${failure})`, isError: true };
}

function textOf(message: AgentMessage): string {
  if (message.role !== "assistant") return "";
  return message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
}
