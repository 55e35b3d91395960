import type { run } from "../agent/run.js";
import type { AgentSetup } from "./types.js";

type RunOptions = Parameters<typeof run>[1];

/** What an agent's setup decides about its runs. The messages of a session were checked when they were read. */
export function runSettings({ model, systemPrompt, tools, maxTurns, call }: AgentSetup) {
  return {
    model,
    systemPrompt,
    tools,
    call,
    checked: true,
    ...(maxTurns === undefined ? {} : { maxTurns }),
  } satisfies Partial<RunOptions>;
}
