import { realpathSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { noteOf } from "../../src/core/message/notes.js";
import type { Conversation } from "../../src/runtime/conversation.js";
import { Runtime } from "../../src/runtime/runtime.js";
import type { Config } from "../../src/runtime/schema.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { FakeAcpAgent, type FakeAgentOptions, type FakeScript } from "./acp-agent.js";
import { told } from "./watching.js";

interface World {
  home?: string;
  config?: Config;
}

/** A runtime whose agent `claude` is the program. It is closed with the test. */
export function runtimeWith(
  agent: FakeAcpAgent,
  { home = temporaryFolder(), config = {} }: World = {},
): Runtime {
  const { agents, ...more } = config;
  const runtime = new Runtime({
    home,
    config: {
      model: "demo/script",
      agents: { claude: { acp: { command: "claude-agent-acp" }, ...agents?.["claude"] } },
      ...more,
    },
    startProgram: agent.start,
  });
  onTestFinished(() => runtime.close());
  return runtime;
}

/** A program that must have nothing to complain about when the test ends. */
export function agentWith(script: FakeScript, more: Partial<FakeAgentOptions> = {}): FakeAcpAgent {
  const agent = new FakeAcpAgent({ script, ...more });
  onTestFinished(() => expect(agent.problems).toEqual([]));
  return agent;
}

/** The agent's conversation, in a folder of its own. */
export function begin(runtime: Runtime): Promise<Conversation> {
  const cwd = realpathSync(temporaryFolder());
  return runtime.begin({ agent: "claude", key: "agent:claude:main", meta: { cwd } });
}

/** Sends a message and waits for the answer. */
export async function ask(conversation: Conversation, content: string): Promise<void> {
  await conversation.send({ role: "user", content, timestamp: 1_740_000_000_000 });
  await conversation.idle();
}

/** The conversation without notes. */
export async function linesOf(conversation: Conversation): Promise<string[]> {
  return told(await conversation.messages()).filter((line) =>
    /^(user|assistant|toolResult|error)/.test(line),
  );
}

/** `target severity what` of each recorded loss. */
export async function lossesIn(conversation: Conversation): Promise<string[]> {
  return (await conversation.messages()).flatMap((message) => {
    const note = noteOf(message);
    if (note?.type !== "dragoman/losses") return [];
    return note.data.losses.map(({ severity, what }) => `${note.data.target} ${severity} ${what}`);
  });
}

/** Answers with a greeting and the number of blocks in the prompt. */
export const hello: FakeScript = async (turn) => {
  turn.text(`Hello ${turn.prompt.length}`);
  return "end_turn";
};
