import { Type } from "@sinclair/typebox";
import type { AgentModel, OnLosses, Tool, ToolHooks } from "../../agent/types.js";
import { ABORTED, untilAborted } from "../../core/async/until-aborted.js";
import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import { AnswerBuilder } from "../../core/stream/builder.js";
import type { AssistantMessage, LiveAssistantMessageEvent, UserMessage } from "../../core/types.js";
import { contentOf } from "../agent/content.js";
import { acp } from "../checks.js";
import type { AcpChunk, AcpPermissionRequest, AcpToolCall } from "../wire.js";
import type { PermissionOutcome, SessionHandler } from "./agent-program.js";
import { askBefore } from "./ask-before.js";
import { ForeignCall } from "./foreign-call.js";
import type { ForeignSession, OpenSession, SessionState } from "./foreign-session.js";
import { promptBlocks } from "./prompt-blocks.js";

export interface TurnsOptions {
  /** The agent's name in our configuration. */
  agent: string;
  session: ForeignSession;
  /** What the log has about the program's session. */
  stored: SessionState | undefined;
  /** Stores what changed, before the program gets a message. */
  store(state: SessionState): Promise<void>;
  /** Whether our session has earlier answers. */
  hasHistory: boolean;
  before: ToolHooks["before"];
  onLosses: OnLosses;
  now(): number;
}

type Item =
  | { type: "chunk"; chunk: AcpChunk }
  | { type: "call" | "started"; call: ForeignCall }
  | { type: "ended"; stopReason: string }
  | { type: "failed"; error: unknown };

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
  readonly #stopping = new AbortController();
  #items: Item[] = [];
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
    const answer = new Answer(builder);
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
    const { session, store, onLosses, hasHistory } = this.#options;
    const open = await session.open(this.#stored?.session);
    signal.throwIfAborted();
    this.#open = open;
    onLosses([UNKNOWN_CONTEXT, ...(open.isNew && hasHistory ? [FORGOTTEN] : [])]);
    const { promptCapabilities = {} } = open.program.capabilities;
    const prompt = promptBlocks(messages, promptCapabilities, (loss) => onLosses([loss]));
    this.#stored = { session: open.id, prompted: last };
    await store(this.#stored);
    signal.throwIfAborted();
    this.#isPrompted = true;
    this.#answered = open.program.request("session/prompt", { sessionId: open.id, prompt }).then(
      (answer) => this.#end({ type: "ended", stopReason: stopReasonOf(answer) }),
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
        call.onProgress = () => update(call.progress());
        await call.ended;
        return call.output();
      },
    });
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

/** One answer under construction. */
class Answer {
  readonly #builder: AnswerBuilder;
  readonly #calls: ForeignCall[] = [];
  #block: { index: number; kind: string } | undefined;

  constructor(builder: AnswerBuilder) {
    this.#builder = builder;
  }

  /** Whether the item belongs to what follows the answer's calls. */
  isComplete(item: Item): boolean {
    if (this.#calls.length === 0) return false;
    if (item.type === "call") return false;
    return item.type !== "started" || this.#calls.includes(item.call);
  }

  add(item: Item, takePlan: () => unknown): void {
    switch (item.type) {
      case "chunk":
        this.#addChunk(item.chunk);
        return;
      case "call":
        this.#calls.push(item.call);
        return;
      case "started":
        // The call belongs to an earlier answer.
        return;
      case "ended":
        this.#finish(item.stopReason, takePlan());
        return;
      case "failed":
        throw item.error;
    }
  }

  /** Ends the answer with its calls. */
  end(plan: unknown): void {
    this.#closeBlock();
    for (const { id, name, title, kind, raw, arguments: args } of this.#calls) {
      const { locations } = raw;
      const shown = { title, kind, ...(locations === undefined ? {} : { locations }) };
      const index = this.#builder.open({ type: "toolCall", id, name, arguments: {}, ext: { acp: shown } });
      this.#builder.delta(index, JSON.stringify(args));
      this.#builder.close(index);
    }
    this.#keepPlan(plan);
    this.#builder.done("toolUse");
  }

  #finish(stopReason: string, plan: unknown): void {
    this.#closeBlock();
    this.#keepPlan(plan);
    if (stopReason === "end_turn") this.#builder.done("stop");
    else if (stopReason === "max_tokens") this.#builder.done("length");
    else this.#builder.fail(REASONS[stopReason] ?? `the agent program stopped: ${stopReason}`);
  }

  #addChunk({ sessionUpdate, messageId, content }: AcpChunk): void {
    if (content.type !== "text") {
      this.#closeBlock();
      this.#builder.whole(contentOf(content));
      return;
    }
    const kind = `${sessionUpdate} ${messageId ?? ""}`;
    if (this.#block?.kind !== kind) {
      this.#closeBlock();
      const isThought = sessionUpdate === "agent_thought_chunk";
      const index = this.#builder.open(
        isThought ? { type: "thinking", thinking: "" } : { type: "text", text: "" },
      );
      this.#block = { index, kind };
    }
    this.#builder.delta(this.#block.index, content.text);
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#builder.close(this.#block.index);
    this.#block = undefined;
  }

  #keepPlan(plan: unknown): void {
    const { message } = this.#builder;
    if (plan !== undefined) message.ext = { ...message.ext, acp: { plan } };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  refusal: "the agent program refused to continue",
  max_turn_requests: "the agent program reached its limit of requests in one turn",
  cancelled: "the agent program cancelled its turn",
};

const UNKNOWN_CONTEXT = {
  at: "",
  what: "the context of the model",
  why: "the agent program keeps it to itself; the log has what the program reports, and tool results as it shows them",
  severity: "approximated",
} as const;

const FORGOTTEN = {
  at: "",
  what: "earlier messages",
  why: "the agent program could not resume its session, and continues in a new one without them",
  severity: "dropped",
} as const;

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
