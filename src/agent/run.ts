import type { CallOptions, Output, ToolSpec } from "../core/api/provider.js";
import { ended } from "../core/async/ended.js";
import { onAbort } from "../core/async/on-abort.js";
import { type Failure, failureIn, isBroken, isSilent } from "../core/message/failure.js";
import { callsOf, closingResults, openCalls } from "../core/message/open-calls.js";
import { requestedOutput } from "../core/message/requested-output.js";
import { markShown } from "../core/shown/context.js";
import { placeInConversation, type Shown, showConversation } from "../core/shown/conversation.js";
import { messageEvents } from "../core/stream/events.js";
import type {
  AgentEvent,
  AgentMessage,
  AssistantMessage,
  CompactionMessage,
  Loss,
  ToolCall,
  UserMessage,
} from "../core/types.js";
import { Answer } from "./answer.js";
import { type CompactionLimits, compact, shouldCompact } from "./compaction.js";
import { failureOf } from "./failure.js";
import type { MessageQueue } from "./queue.js";
import { isSuspended } from "./suspended.js";
import { ToolCalls } from "./tool-calls.js";
import { Transcript } from "./transcript.js";
import type { AgentModel, Append, OnLosses, Tool, ToolHooks } from "./types.js";

export interface RunOptions {
  model: AgentModel;
  systemPrompt?: string;
  tools?: readonly Tool[];
  /** Tools that only the answer to this message may use, in addition to `tools`. */
  toolsFor?(prompt: UserMessage): readonly Tool[];
  /** The conversation so far. */
  history?: readonly AgentMessage[];
  /** `history` and the messages `append` returns are already validated, as a log does; skips validation at every turn. */
  checked?: boolean;
  /** Stores each complete message, before anything depends on it (default: in memory only). */
  append?: Append;
  /** Whether the last answer's calls without a result are run first: none of them has begun to run (default: false). */
  resumesCalls?: boolean;
  /** Messages that arrive during the run. */
  queue?: MessageQueue;
  hooks?: ToolHooks;
  /** The most turns a run may have before it ends with an `error` message (default: 50). */
  maxTurns?: number;
  signal?: AbortSignal;
  /** When and how far to compact the conversation before it outgrows the model's window; false for never. */
  compaction?: CompactionLimits | false;
  /** Request options: thinking, temperature. A form of answer that a message states (`ext.output`) takes precedence. */
  call?: CallOptions;
  /** Called with the losses of each request to the model, a compaction's included. */
  onLosses?: OnLosses;
  now?: () => number;
}

const MAX_TURNS = 50;
/** A run ends after this many consecutive answers with cut-off calls. */
const MAX_CUT_CALLS = 2;

/**
 * Runs an agent: asks the model, runs the tools it calls, and asks again until it calls none. Events are produced on demand,
 * so a slow reader slows the run down, and nothing accumulates. Leaving the loop (`break`) aborts the run.
 *
 * The last event is always `agent_end`, with the messages the run has added, and each `turn_start` has its `turn_end`, whose
 * message is the answer. A model failure leaves an answer with stop reason `error`, `errorMessage` and the code in
 * `ext.failure`; an abort leaves one with stop reason `aborted`. Both have the content that had arrived, which may be empty.
 * After an abort the model is not asked again, and every call has a result; if the reason is `Suspended`, calls that were still
 * being inspected have none, and a later run with `resumesCalls` runs them. A limit that ends a run (`agent/max-turns`,
 * `agent/length-limit`) is an `error` message after the last `turn_end`.
 * The generator throws only when a message cannot be stored (`agent/not-stored`), after `agent_end` and without the
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
  // A generator that waits for a model or a tool would notice only at its next event that its reader has left.
  events.return = (value) => {
    controller.abort();
    return leave(value);
  };
  return events;
}

/** What follows a turn: another one for its calls' results, another one only if messages are queued, or none. */
type Next = "results" | "idle" | "end";

class Run {
  readonly #options: RunOptions;
  readonly #controller: AbortController;
  readonly #now: () => number;
  readonly #log: Transcript;
  /** Begun and not in the log yet. However the run ends, `#completeLog` stores it. */
  #prompts: readonly AgentMessage[] | undefined;
  #answer: Answer | undefined;
  #calls: ToolCalls | undefined;
  /** The open calls were left to the process that resumes the run. */
  #isLeft = false;
  #canCompact = true;
  readonly #isResumed: boolean;
  /** Consecutive answers that ended at the length limit with calls that could not run. */
  #cutCalls = 0;

  constructor(prompts: readonly AgentMessage[], options: RunOptions, controller: AbortController) {
    this.#options = options;
    this.#controller = controller;
    this.#now = options.now ?? Date.now;
    this.#log = new Transcript(options.history ?? [], options.append, this.#now);
    this.#prompts = prompts;
    this.#isResumed = prompts.length === 0;
  }

  get #aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The tools of the turn in progress. */
  get #tools(): readonly Tool[] | undefined {
    const { tools, toolsFor } = this.#options;
    const prompt = this.#log.messages.findLast((message) => message.role === "user");
    const more = prompt === undefined ? undefined : toolsFor?.(prompt);
    return more === undefined || more.length === 0 ? tools : [...(tools ?? []), ...more];
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
      // If the reader has left, no more events follow, but the transcript is still completed.
      this.#controller.abort(ended);
      await this.#completeLog();
    }
    try {
      yield { type: "agent_end", messages: this.#log.added };
    } finally {
      // Some readers leave at the last event; a message that is not stored is reported even then.
      if (failed !== undefined) await Promise.reject(failed.error);
    }
  }

  async *#turns(): AsyncGenerator<AgentEvent> {
    const { queue, maxTurns = MAX_TURNS, resumesCalls = false } = this.#options;
    if (resumesCalls) yield* this.#resumeCalls();
    if (resumesCalls && this.#aborted) return;
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

  /** The rest of a turn that another process has begun. */
  async *#resumeCalls(): AsyncGenerator<AgentEvent> {
    const message = this.#log.messages.findLast(({ role }) => role === "assistant");
    const open = openCalls(this.#log.messages);
    if (message?.role !== "assistant" || open.length === 0) return;
    yield { type: "turn_start" };
    this.#calls = this.#toolCalls(open);
    yield* this.#calls.events();
    const results = await this.#storeResults(message);
    yield* eventsOf(results);
    yield {
      type: "turn_end",
      message,
      toolResults: results.filter((result) => result.role === "toolResult"),
    };
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

  /** Asks the model with a conversation that fits: compacted in advance, or after the provider reported an overflow. */
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
    const { model, systemPrompt, call = {}, onLosses, checked } = this.#options;
    const tools = this.#tools;
    let shown: readonly Shown[] = [];
    const context = () => {
      const losses: Loss[] = [];
      const { messages, ...prompt } = showConversation(
        { systemPrompt, messages: this.#log.messages },
        (loss) => losses.push(loss),
      );
      shown = messages;
      if (losses.length > 0) onLosses?.(losses);
      const request = {
        ...prompt,
        messages: messages.map(({ message }) => message),
        ...(tools === undefined ? {} : { tools: tools.map(specOf) }),
      };
      return checked === true ? markShown(request) : request;
    };
    // The model reports places in the messages it was shown.
    const report: OnLosses = (losses) =>
      onLosses?.(losses.map((loss) => ({ ...loss, at: placeInConversation(shown, loss.at) })));
    const { signal } = this.#controller;
    const output = this.#requestedOutput();
    const asked = { ...call, ...(output === undefined ? {} : { output }), onLosses: report };
    const answer = new Answer(model, context, asked, signal, this.#now);
    this.#answer = answer;
    yield* answer.events();
    return answer;
  }

  /** An earlier run that was aborted may have left messages unanswered; only a run without prompts answers those. */
  #requestedOutput(): Output | undefined {
    return requestedOutput(this.#isResumed ? this.#log.messages : this.#log.added);
  }

  /** Returns whether the conversation became shorter. A failure is reported once, and does not end the run. */
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

  /** Stores whatever was begun, in log order. */
  async #completeLog(): Promise<void> {
    if (this.#log.broken || this.#isLeft) return;
    await this.#storePrompts();
    await this.#storeResults(this.#answer && (await this.#storeAnswer(this.#answer)));
  }

  /** Results for calls that a crash left open come first. */
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
    this.#calls = this.#toolCalls(callsOf(stored));
    return stored;
  }

  #toolCalls(calls: readonly ToolCall[]): ToolCalls {
    const { hooks = {} } = this.#options;
    return new ToolCalls(calls, {
      tools: this.#tools ?? [],
      hooks,
      signal: this.#controller.signal,
      now: this.#now,
      store: (results) => this.#log.add(results),
    });
  }

  /** Closes every open call, and returns all of the answer's results and the messages its tools add. */
  async #storeResults(message: AssistantMessage | undefined): Promise<readonly AgentMessage[]> {
    const calls = this.#calls;
    if (calls === undefined) return [];
    if (calls.isInspecting && isSuspended(this.#controller.signal)) {
      this.#isLeft = true;
      this.#calls = undefined;
      return [];
    }
    const results = await calls.finish(whyNotRun(message));
    const afterwards = await this.#log.add(calls.afterwards);
    this.#calls = undefined;
    return [...results, ...afterwards];
  }
}

function specOf({ name, description, parameters }: Tool): ToolSpec {
  return { name, description, parameters };
}

/** The result of a call that was not run. */
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
  return { message: `the run was stopped after ${maxTurns} turns`, code: "agent/max-turns", retryable: true };
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
