import { MessageQueue } from "../../agent/queue.js";
import { type RunOptions, run } from "../../agent/run.js";
import type { AgentEvent, AgentMessage, UserMessage } from "../../core/types.js";
import type { ForeignSession, SessionState } from "./foreign-session.js";
import { Turns } from "./turns.js";

export interface ProgramRun {
  /** The agent's name in our configuration. */
  agent: string;
  session: ForeignSession;
  /** What the log has about the program's session. */
  stored: SessionState | undefined;
  store(state: SessionState): Promise<void>;
}

/**
 * Runs an agent that is a program: our loop with the program in place of the model and of the tools. Everything that the loop
 * guarantees about events and the log holds for it.
 */
export async function* runProgram(
  prompts: readonly AgentMessage[],
  options: RunOptions,
  { agent, session, stored, store }: ProgramRun,
): AsyncGenerator<AgentEvent> {
  const { append, queue, hooks, onLosses = () => undefined, history = [], now = Date.now } = options;
  const turns = new Turns({
    agent,
    session,
    stored,
    store,
    answered: history.map(answerText).join(""),
    before: hooks?.before,
    onLosses,
    now,
  });
  if (prompts.length === 0) for (const message of unanswered(history, stored)) turns.add(message);
  const unlisten = session.listen(turns);
  const events = run(prompts, {
    ...options,
    model: turns,
    tools: turns.tools,
    hooks: {},
    compaction: false,
    maxTurns: Number.POSITIVE_INFINITY,
    onLosses: () => undefined,
    ...(queue === undefined ? {} : { queue: new WholePrompts(queue) }),
    append: async (messages) => {
      const kept = messages.map((message) => withUpdate(message, turns));
      const result = append === undefined ? kept : await append(kept);
      for (const message of result) if (message.role === "user") turns.add(message);
      return result;
    },
  });
  try {
    for await (const event of events) {
      // Once the run has ended, the program must not work on.
      if (event.type === "agent_end") await turns.stop();
      yield event;
    }
  } finally {
    await turns.stop();
    unlisten();
  }
}

function answerText(message: AgentMessage): string {
  if (message.role !== "assistant") return "";
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** A prompt cannot be changed once the program has it, so messages that steer wait for its end. */
class WholePrompts extends MessageQueue {
  readonly #queue: MessageQueue;

  constructor(queue: MessageQueue) {
    super();
    this.#queue = queue;
  }

  override get size(): number {
    return this.#queue.size;
  }

  override onInterrupt(listener: () => void): () => void {
    return this.#queue.onInterrupt(listener);
  }

  override takeSteering(): UserMessage[] {
    return [];
  }

  override takePrompts(): UserMessage[] {
    return this.#queue.takePrompts();
  }
}

/** Keeps everything that the program sent about a call with its result. */
function withUpdate(message: AgentMessage, turns: Turns): AgentMessage {
  if (message.role !== "toolResult") return message;
  const call = turns.call(message.toolCallId);
  if (call === undefined) return message;
  const { rawOutput: _, ...raw } = call.raw;
  return { ...message, ext: { ...message.ext, acp: raw } };
}

/** The messages at the end of the log that the program has not got yet; none if it has got one of them. */
function unanswered(history: readonly AgentMessage[], stored: SessionState | undefined): UserMessage[] {
  const answered = history.findLastIndex(({ role }) => ANSWERS.has(role));
  const messages = history.slice(answered + 1).filter((message) => message.role === "user");
  return messages.some(({ id }) => id === stored?.prompted) ? [] : messages;
}

const ANSWERS = new Set<AgentMessage["role"]>(["assistant", "toolResult", "error"]);
