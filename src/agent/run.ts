import type { CallOptions, ToolSpec } from "../core/api/provider.js";
import { onAbort } from "../core/async/on-abort.js";
import { type Failure, failureIn, isBroken, isSilent } from "../core/message/failure.js";
import { callsOf, closingResults } from "../core/message/open-calls.js";
import { markShown } from "../core/shown/context.js";
import { placeInConversation, type Shown, showConversation } from "../core/shown/conversation.js";
import { messageEvents } from "../core/stream/events.js";
import type { AgentEvent, AgentMessage, AssistantMessage, CompactionMessage, Loss } from "../core/types.js";
import { Answer } from "./answer.js";
import { type CompactionLimits, compact, shouldCompact } from "./compaction.js";
import { failureOf } from "./failure.js";
import type { MessageQueue } from "./queue.js";
import { ToolCalls } from "./tool-calls.js";
import { Transcript } from "./transcript.js";
import type { AgentModel, Append, OnLosses, Tool, ToolHooks } from "./types.js";

export interface RunOptions {
  model: AgentModel;
  systemPrompt?: string;
  tools?: readonly Tool[];
  /** The conversation so far. */
  history?: readonly AgentMessage[];
  /** `history`, and what `append` returns, were checked as a log checks them: they are not checked again at every turn. */
  checked?: boolean;
  /** Stores each message when it is complete, before anything depends on it. In memory only unless given. */
  append?: Append;
  /** What arrives while the run is active. */
  queue?: MessageQueue;
  hooks?: ToolHooks;
  /** How often the model may be asked; a run that would ask once more ends with an `error` message. Default 50. */
  maxTurns?: number;
  signal?: AbortSignal;
  /** When and how far the conversation is compacted before it outgrows the model's window; false for never. */
  compaction?: CompactionLimits | false;
  /** How the model is asked: thinking, temperature. */
  call?: CallOptions;
  /** Hears what each request to the model, a compaction's too, does not carry of the conversation. */
  onLosses?: OnLosses;
  now?: () => number;
}

const MAX_TURNS = 50;
/** After how many answers in a row whose calls were cut off a run gives up. */
const MAX_CUT_CALLS = 2;

/**
 * Runs an agent: asks the model, runs the tools it calls, and asks again until it calls none. Events are made when they are
 * asked for, so a slow reader slows the run down, and nothing piles up. Leaving the loop (`break`) aborts the run.
 *
 * The last event is always `agent_end`, with the messages the run has added, and each `turn_start` has its `turn_end`, whose
 * message is the answer. A model that fails leaves an answer with stop reason `error`, `errorMessage` and the code in
 * `ext.failure`; an abort leaves one with stop reason `aborted`. Either has the content that had arrived, which may be none. After
 * an abort the model is asked nothing more, and every call that was made has a result. What ends a run although no model has
 * failed (`agent/max-turns`, `agent/length-limit`) is an `error` message after the last `turn_end`.
 * Only when a message cannot be stored does the generator throw (`agent/not-stored`), after `agent_end` and without the
 * `turn_end`: no event reports a message that is not stored.
 *
 * @example
 * for await (const event of run([{ role: "user", content: "Hi", timestamp: Date.now() }], { model, tools })) {
 *   if (event.type === "message_end") console.log(event.message);
 * }
 */
export function run(prompts: readonly AgentMessage[], options: RunOptions): AsyncGenerator<AgentEvent> {
  const controller = new AbortController();
  const events = new Run(prompts, options, controller).events();
  const leave = events.return.bind(events);
  // A generator that waits for a model or a tool would notice only at its next event that nobody reads on.
  events.return = (value) => {
    controller.abort();
    return leave(value);
  };
  return events;
}

/** What a turn asks for: another one for the results of its calls, another one only if something waits, or none. */
type Next = "results" | "idle" | "end";

class Run {
  readonly #options: RunOptions;
  readonly #controller: AbortController;
  readonly #now: () => number;
  readonly #log: Transcript;
  /** What has begun and is not in the log yet. Whatever ends the run, `#settle` stores it. */
  #prompts: readonly AgentMessage[] | undefined;
  #answer: Answer | undefined;
  #calls: ToolCalls | undefined;
  #canCompact = true;
  /** How many answers in a row ended at the length limit with calls that could not run. */
  #cutCalls = 0;

  constructor(prompts: readonly AgentMessage[], options: RunOptions, controller: AbortController) {
    this.#options = options;
    this.#controller = controller;
    this.#now = options.now ?? Date.now;
    this.#log = new Transcript(options.history ?? [], options.append, this.#now);
    this.#prompts = prompts;
  }

  get #aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  async *events(): AsyncGenerator<AgentEvent> {
    const { signal, queue } = this.#options;
    const abort = () => this.#controller.abort(signal?.reason);
    const unlisten = onAbort(signal, abort);
    const unsubscribe = queue?.onInterrupt(abort);
    let failed: { error: unknown } | undefined;
    try {
      yield { type: "agent_start" };
      yield* this.#turns();
    } catch (error) {
      failed = { error };
    } finally {
      unlisten();
      unsubscribe?.();
      // Also for a reader that left in the middle: nobody is told, but the transcript is completed.
      this.#controller.abort();
      await this.#completeLog();
    }
    try {
      yield { type: "agent_end", messages: this.#log.added };
    } finally {
      // Many a reader leaves at the last event; that something is not stored is told even then.
      if (failed !== undefined) await Promise.reject(failed.error);
    }
  }

  async *#turns(): AsyncGenerator<AgentEvent> {
    const { queue, maxTurns = MAX_TURNS } = this.#options;
    yield { type: "turn_start" };
    yield* eventsOf(await this.#storePrompts());
    for (let turn = 1; ; turn++) {
      const next = yield* this.#turn();
      if (next === "end" || (next === "idle" && (queue === undefined || queue.size === 0))) return;
      const limit = this.#cutCalls >= MAX_CUT_CALLS ? LENGTH_LIMIT : turnLimit(turn, maxTurns);
      if (limit !== undefined) {
        yield* eventsOf(await this.#log.addError(limit));
        return;
      }
      const arrived = next === "idle" ? queue?.takePrompts() : queue?.takeSteering();
      const stored = await this.#log.add(arrived ?? []);
      yield { type: "turn_start" };
      yield* eventsOf(stored);
    }
  }

  async *#turn(): AsyncGenerator<AgentEvent, Next> {
    const answer = yield* this.#ask();
    const message = await this.#storeAnswer(answer);
    if (answer.shown) yield { type: "message_end", message };
    else yield* messageEvents(message);
    if (!isBroken(message) && message.stopReason !== "length") yield* this.#calls?.events() ?? [];
    const results = await this.#storeResults(message);
    yield* eventsOf(results);
    const toolResults = results.filter((result) => result.role === "toolResult");
    yield { type: "turn_end", message, toolResults };
    if (isBroken(message) || this.#aborted) return "end";
    const isCut = message.stopReason === "length" && toolResults.length > 0;
    this.#cutCalls = isCut ? this.#cutCalls + 1 : 0;
    return toolResults.length > 0 ? "results" : "idle";
  }

  /** Asks the model, with a conversation that fits: compacted before it is too long, or once it has turned out to be. */
  async *#ask(): AsyncGenerator<AgentEvent, Answer> {
    const { model, compaction } = this.#options;
    if (compaction !== false && this.#canCompact && shouldCompact(this.#log.messages, model, compaction)) {
      yield* this.#compact(compaction);
    }
    const answer = yield* this.#askOnce();
    const message = answer.message();
    if (!isSilent(message) || failureIn(message)?.code !== "provider/context-overflow") return answer;
    if (compaction === false || !this.#canCompact || !(yield* this.#compact(compaction))) return answer;
    return yield* this.#askOnce();
  }

  async *#askOnce(): AsyncGenerator<AgentEvent, Answer> {
    const { model, systemPrompt, tools, call = {}, onLosses, checked } = this.#options;
    let shown: readonly Shown[] = [];
    const context = () => {
      const losses: Loss[] = [];
      const { messages, ...prompt } = showConversation(
        { systemPrompt, messages: this.#log.messages },
        (loss) => losses.push(loss),
      );
      shown = messages;
      if (losses.length > 0) onLosses?.(losses);
      const asked = {
        ...prompt,
        messages: messages.map(({ message }) => message),
        ...(tools === undefined ? {} : { tools: tools.map(specOf) }),
      };
      return checked === true ? markShown(asked) : asked;
    };
    // What the model reports is of the messages that it is shown.
    const report: OnLosses = (losses) =>
      onLosses?.(losses.map((loss) => ({ ...loss, at: placeInConversation(shown, loss.at) })));
    const { signal } = this.#controller;
    const answer = new Answer(model, context, { ...call, onLosses: report }, signal, this.#now);
    this.#answer = answer;
    yield* answer.events();
    return answer;
  }

  /** Returns whether the conversation is shorter. That it could not be made shorter is told once, and does not end the run. */
  async *#compact({ keepTokens }: CompactionLimits = {}): AsyncGenerator<AgentEvent, boolean> {
    const { model, onLosses } = this.#options;
    let line: CompactionMessage | undefined;
    let failure: Failure | undefined;
    try {
      line = await compact({
        messages: this.#log.messages,
        model,
        signal: this.#controller.signal,
        now: this.#now,
        onLosses,
        ...(keepTokens === undefined ? {} : { keepTokens }),
      });
    } catch (error) {
      if (this.#aborted) return false;
      failure = failureOf(error, "agent/not-compacted");
    }
    this.#canCompact = line !== undefined;
    if (line !== undefined) yield* eventsOf(await this.#log.add([line]));
    if (failure !== undefined) yield* eventsOf(await this.#log.addError(failure));
    return line !== undefined;
  }

  /** Completes what was begun, in the order of the log. */
  async #completeLog(): Promise<void> {
    if (this.#log.broken) return;
    await this.#storePrompts();
    const answer = this.#answer;
    const message = answer === undefined ? undefined : await this.#storeAnswer(answer);
    await this.#storeResults(message);
  }

  /** A history that a crash has left with open calls is completed first. */
  async #storePrompts(): Promise<readonly AgentMessage[]> {
    const prompts = this.#prompts;
    if (prompts === undefined) return [];
    const stored = await this.#log.add([...closingResults(this.#log.messages, this.#now()), ...prompts]);
    this.#prompts = undefined;
    return stored;
  }

  async #storeAnswer(answer: Answer): Promise<AssistantMessage> {
    this.#answer = undefined;
    const message = answer.message();
    const [stored = message] = await this.#log.add([message]);
    if (stored.role !== "assistant") return message;
    const { tools = [], hooks = {} } = this.#options;
    this.#calls = new ToolCalls(callsOf(stored), {
      tools,
      hooks,
      signal: this.#controller.signal,
      now: this.#now,
      store: (results) => this.#log.add(results),
    });
    return stored;
  }

  /** Answers every call that is still open, and returns all results of the answer and what the tools add to them. */
  async #storeResults(message: AssistantMessage | undefined): Promise<readonly AgentMessage[]> {
    const calls = this.#calls;
    if (calls === undefined) return [];
    const results = await calls.finish(whyNotRun(message));
    const afterwards = await this.#log.add(calls.afterwards);
    this.#calls = undefined;
    return [...results, ...afterwards];
  }
}

function specOf({ name, description, parameters }: Tool): ToolSpec {
  return { name, description, parameters };
}

/** What a call that was not run is told. */
function whyNotRun(message: AssistantMessage | undefined): string {
  switch (message?.stopReason) {
    case "length":
      return "the answer reached its length limit, so none of its calls was run; call again with shorter arguments";
    case "error":
      return "the answer failed before it was complete, so the call was not run";
    default:
      return "aborted";
  }
}

function turnLimit(turn: number, maxTurns: number): Failure | undefined {
  if (turn < maxTurns) return undefined;
  return {
    message: `the run was stopped after ${maxTurns} turns`,
    code: "agent/max-turns",
    retryable: true,
  };
}

const LENGTH_LIMIT: Failure = {
  message:
    "the model's answers reached their length limit twice in a row, so that its tool calls could not run " +
    "(raise `agents.*.maxTokens` or `models.*.maxOutput` in the configuration)",
  code: "agent/length-limit",
  retryable: true,
};

function* eventsOf(messages: readonly AgentMessage[]): Generator<AgentEvent> {
  for (const message of messages) yield* messageEvents(message);
}
