import * as Type from "@sinclair/typebox";
import type { AgentModel, OnLosses, Tool, ToolHooks } from "../../agent/types.js";
import { ABORTED, untilAborted } from "../../core/async/until-aborted.js";
import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import { AnswerBuilder } from "../../core/stream/builder.js";
import type { AssistantMessage, LiveAssistantMessageEvent, UserMessage } from "../../core/types.js";
import { acp } from "../checks.js";
import type { AcpPermissionRequest, AcpToolCall } from "../wire.js";
import type { PermissionOutcome, SessionHandler } from "./agent-program.js";
import { askBefore } from "./ask-before.js";
import { ForeignAnswer, type Item } from "./foreign-answer.js";
import { ForeignCall } from "./foreign-call.js";
import type { ForeignSession, OpenSession, SessionState } from "./foreign-session.js";
import { promptBlocks } from "./prompt-blocks.js";
import { lossesOf, UNKNOWN_CONTEXT } from "./session-losses.js";

export interface TurnsOptions {
  /** The agent's name in our configuration. */
  agent: string;
  session: ForeignSession;
  /** What the log has about the program's session. */
  stored: SessionState | undefined;
  /** Stores what changed, before the program gets a message. */
  store(state: SessionState): Promise<void>;
  /** The text of the answers in our session so far. */
  answered: string;
  before: ToolHooks["before"];
  onLosses: OnLosses;
  now(): number;
}

/** How long a program has to end a cancelled prompt before it is killed. */
const GRACE_MS = 10_000;

/**
 * A program's prompts as turns of our loop: its text is the answer of a model, and its tool calls are calls whose results it
 * reports. An answer ends when its calls begin to run; what the program sends meanwhile belongs to the next answer.
 */
export class Turns implements SessionHandler, AgentModel {
  readonly provider = "acp";
  readonly id: string;
  /** One for each name that the program has used. */
  readonly tools: Tool[] = [];
  readonly #options: TurnsOptions;
  readonly #calls = new Map<string, ForeignCall>();
  readonly #storedCalls = new Set<ForeignCall>();
  /** Calls that the log waits for. */
  readonly #running = new Set<ForeignCall>();
  /** Questions about calls that are not stored yet. */
  readonly #waiting: (() => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #items: Item[] = [];
  #wake: () => void = () => undefined;
  #unsent: UserMessage[] = [];
  #stored: SessionState | undefined;
  #open: OpenSession | undefined;
  /** Fulfilled when the program has answered the prompt. */
  #answered: Promise<void> | undefined;
  /** Whether the end of the prompt is not part of an answer yet. */
  #isPrompted = false;
  #plan: unknown;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#stored = options.stored;
    this.id = options.agent;
  }

  /** A message for the next prompt. */
  add(message: UserMessage): void {
    this.#unsent.push(message);
  }

  call(id: string): ForeignCall | undefined {
    return this.#calls.get(id);
  }

  async *stream(
    _context: unknown,
    { signal = this.#stopping.signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<LiveAssistantMessageEvent> {
    const builder = new AnswerBuilder(this.#header());
    yield* builder.drain();
    if (!this.#isPrompted) await this.#prompt(signal);
    const answer = new ForeignAnswer(builder);
    while (!builder.ended) {
      const [item] = this.#items;
      if (item === undefined) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        if ((await untilAborted(woken, signal)) === ABORTED) return;
        continue;
      }
      if (answer.isComplete(item)) answer.end(this.#takePlan());
      else {
        this.#items.shift();
        if (item.type === "ended" || item.type === "failed") this.#isPrompted = false;
        answer.add(item, this.#takePlan.bind(this));
      }
      yield* builder.drain();
    }
  }

  onUpdate(update: JsonObject): void {
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const checked = acp.check("AcpChunk", update);
        if ("value" in checked) this.#push({ type: "chunk", chunk: checked.value });
        else this.#lose(update, "it is not valid");
        return;
      }
      case "tool_call":
      case "tool_call_update": {
        const checked = acp.check("AcpToolCall", update);
        if ("value" in checked) this.#apply(checked.value);
        else this.#lose(update, "it is not valid");
        return;
      }
      case "plan":
        this.#plan = update["entries"];
        return;
      default:
        if (!STATE.has(update["sessionUpdate"])) this.#lose(update, "our log has no place for it");
    }
  }

  async onAsk(request: AcpPermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    const call = this.#apply(request.toolCall);
    this.#push({ type: "started", call });
    const until = AbortSignal.any([signal, this.#stopping.signal]);
    await untilAborted(this.#untilStored(call), until);
    return askBefore(call, request.options, this.#options.before, until);
  }

  /** Cancels the prompt in progress and waits until the program has ended it. A program that does not is killed. */
  async stop(): Promise<void> {
    // Answers open questions with `cancelled`, before the program reads `session/cancel`.
    this.#stopping.abort();
    const { program, id } = this.#open ?? {};
    if (this.#answered === undefined || program === undefined) return;
    await new Promise((resolve) => setImmediate(resolve));
    program.notify("session/cancel", { sessionId: id });
    const timer = setTimeout(() => void program.close(), GRACE_MS);
    await this.#answered;
    clearTimeout(timer);
  }

  async #prompt(signal: AbortSignal): Promise<void> {
    const messages = this.#unsent;
    this.#unsent = [];
    const last = messages.at(-1)?.id;
    if (last === undefined) throw interrupted();
    const { session, store, onLosses, answered } = this.#options;
    const open = await session.open(this.#stored?.session, answered);
    signal.throwIfAborted();
    this.#open = open;
    onLosses([UNKNOWN_CONTEXT, ...lossesOf(open, answered)]);
    const { promptCapabilities = {} } = open.program.capabilities;
    const prompt = promptBlocks(messages, promptCapabilities, (loss) => onLosses([loss]));
    this.#stored = { session: open.id, prompted: last };
    await store(this.#stored);
    signal.throwIfAborted();
    this.#isPrompted = true;
    const answering = open.program.request("session/prompt", { sessionId: open.id, prompt });
    this.#answered = answering.then(stopReasonOf).then(
      (stopReason) => this.#end({ type: "ended", stopReason }),
      (error: unknown) => this.#end({ type: "failed", error }),
    );
  }

  #end(item: Item): void {
    this.#answered = undefined;
    for (const call of this.#calls.values()) call.abandon();
    this.#push(item);
  }

  #apply(update: AcpToolCall): ForeignCall {
    const known = this.#calls.get(update.toolCallId);
    const call = known ?? new ForeignCall(update.toolCallId);
    call.apply(update);
    if (known === undefined) {
      this.#calls.set(call.id, call);
      this.#push({ type: "call", call });
    }
    this.#addTool(call.name);
    if (call.hasStarted) this.#push({ type: "started", call });
    return call;
  }

  #addTool(name: string): void {
    if (this.tools.some((tool) => tool.name === name)) return;
    this.tools.push({
      name,
      description: "A tool of the agent program.",
      parameters: Type.Unsafe<JsonObject>({}),
      execute: async (_args, { toolCallId, update }) => {
        const call = this.#calls.get(toolCallId);
        if (call === undefined) throw new Error("the agent program does not know this call");
        this.#markStored(call);
        call.onProgress = () => update(call.progress());
        await call.ended;
        this.#running.delete(call);
        return call.output();
      },
    });
  }

  /**
   * Fulfilled when the log has the call, so that people are asked about calls that they can see. A call within another one, which
   * is stored only when that one has ended, is not waited for.
   */
  #untilStored(call: ForeignCall): Promise<void> {
    if (this.#storedCalls.has(call) || this.#running.size > 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #markStored(call: ForeignCall): void {
    this.#storedCalls.add(call);
    this.#running.add(call);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  #lose(update: JsonObject, why: string): void {
    const what = `update ${JSON.stringify(update["sessionUpdate"])} of the agent program`;
    this.#options.onLosses([{ at: "", what, why, severity: "dropped" }]);
  }

  #takePlan(): unknown {
    const plan = this.#plan;
    this.#plan = undefined;
    return plan;
  }

  #header(): AssistantMessage {
    return {
      role: "assistant",
      content: [],
      api: "acp",
      provider: this.provider,
      model: this.id,
      usage: emptyUsage(),
      stopReason: "stop",
      timestamp: this.#options.now(),
      ext: { synthesised: ["/usage"] },
    };
  }
}

/** Updates about the program's state, which are not part of the conversation. */
const STATE: ReadonlySet<unknown> = new Set([
  "user_message_chunk",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "usage_update",
]);

function stopReasonOf(answer: unknown): string {
  return acp.parse("AcpPromptEnd", answer).stopReason;
}

function interrupted(): DragomanError {
  return new DragomanError(
    "acp/interrupted",
    "Dragoman stopped while the agent program was answering; the program may have done more than this log shows",
    { hint: "send another message to continue; the last one is not sent twice" },
  );
}
