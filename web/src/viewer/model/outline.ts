import type { AgentMessage } from "dragoman/core";
import type { Branch } from "./branch.js";

/** A prompt of the user, and what followed until the next one. */
export interface Prompt {
  /** The message's index in the transcript. */
  index: number;
  message: AgentMessage;
  time: number | undefined;
  tokens: number;
  cost: number;
  calls: number;
}

/** The user's prompts on a branch. */
export function outlineOf({ moments, messages }: Branch): Prompt[] {
  const prompts: Prompt[] = [];
  for (const [at, { index, role, time, tokens = 0, cost = 0 }] of moments.entries()) {
    const message = messages[at];
    if (message === undefined) continue;
    if (role === "user") prompts.push({ index, message, time, tokens: 0, cost: 0, calls: 0 });
    const prompt = prompts.at(-1);
    if (prompt === undefined || message.role !== "assistant") continue;
    prompt.tokens += tokens;
    prompt.cost += cost;
    prompt.calls += message.content.filter(({ type }) => type === "toolCall").length;
  }
  return prompts;
}
