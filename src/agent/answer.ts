import type { CallOptions, Context } from "../core/api/provider.js";
import { ABORTED, untilAborted } from "../core/async/until-aborted.js";
import { newId } from "../core/ids.js";
import { type Failure, isBroken } from "../core/message/failure.js";
import { markCutUsage } from "../core/message/usage.js";
import type {
  AgentEvent,
  AssistantContent,
  AssistantMessage,
  LiveAssistantMessageEvent,
} from "../core/types.js";
import { brokenAnswer, emptyAnswer, failureOf } from "./failure.js";
import type { AgentModel, OnLosses } from "./types.js";

/** One request to a model and its answer. The reader can stop at any event: content that had arrived is kept. */
export class Answer {
  readonly #openStream: () => AsyncIterable<LiveAssistantMessageEvent>;
  readonly #signal: AbortSignal;
  /** The stream's live message; it grows while the stream continues. */
  #partial: AssistantMessage;
  #final: AssistantMessage | undefined;
  #thrown: Failure | undefined;
  /** Calls whose arguments have arrived. */
  readonly #wholeCalls = new Set<number>();
  /** Assigned when the answer is first shown, so that watchers know the id it will be stored under. */
  #id: string | undefined;

  constructor(
    model: AgentModel,
    /** Built late, so that a failure while building it becomes a failed answer like any other. */
    context: () => Context,
    options: CallOptions & { onLosses?: OnLosses | undefined },
    signal: AbortSignal,
    now: () => number,
  ) {
    const { onLosses, ...call } = options;
    this.#partial = emptyAnswer(model, now());
    this.#openStream = () =>
      model.stream(context(), { ...call, ...(onLosses === undefined ? {} : { onLosses }), signal });
    this.#signal = signal;
  }

  /** Whether `message_start` was emitted. */
  get shown(): boolean {
    return this.#id !== undefined;
  }

  /** `message_start` when the first block begins, `message_update` for each step of a block. Never throws. */
  async *events(): AsyncGenerator<AgentEvent> {
    if (this.#signal.aborted) return;
    let source: AsyncIterator<LiveAssistantMessageEvent> | undefined;
    try {
      source = this.#openStream()[Symbol.asyncIterator]();
      while (this.#final === undefined) {
        const step = await untilAborted(source.next(), this.#signal);
        if (step === ABORTED) return;
        if (step.done === true) throw new Error("the stream ended before its terminal event");
        yield* this.#handle(step.value);
        if (this.#signal.aborted) return;
      }
    } catch (error) {
      if (!this.#signal.aborted) this.#thrown = failureOf(error, "provider/failed");
    } finally {
      // Not awaited: a stream that does not stop must not delay the run, and its remaining events are useless.
      source?.return?.().then(undefined, () => undefined);
    }
  }

  *#handle(event: LiveAssistantMessageEvent): Generator<AgentEvent> {
    switch (event.type) {
      case "start":
        this.#partial = event.partial;
        return;
      case "done":
        this.#final = this.#withId(event.message);
        return;
      case "error":
        this.#final = this.#withId(event.error);
        return;
    }
    this.#partial = event.partial;
    if (event.type === "toolcall_end") this.#wholeCalls.add(event.contentIndex);
    // A message is certain only once its first block arrives.
    if (this.#id === undefined) {
      this.#id = newId();
      yield { type: "message_start", message: { ...this.#withId(event.partial), content: [] } };
    }
    yield { type: "message_update", message: event.partial, assistantMessageEvent: event };
  }

  /** A stream's final message may be a new object, without the id that was added to the live one. */
  #withId(message: AssistantMessage): AssistantMessage {
    if (this.#id !== undefined) message.id = this.#id;
    return message;
  }

  /** The message to store: the answer, or the content that had arrived, which may be empty. */
  message(): AssistantMessage {
    const final = this.#final;
    if (final !== undefined && !isBroken(final)) return final;
    if (final !== undefined && final.usage.totalTokens === 0) markCutUsage(final);
    if (final !== undefined && final.content.length > 0) return final;
    const content = this.#partial.content.map((block, index) => this.#snapshot(block, index));
    if (final !== undefined) return { ...final, content };
    return this.#withId(brokenAnswer({ ...this.#partial, content }, this.#thrown));
  }

  /** A copy of a block as it is now. A live parser still changes the arguments of an incomplete call. */
  #snapshot(block: AssistantContent, index: number): AssistantContent {
    if (block.type !== "toolCall" || this.#wholeCalls.has(index)) return { ...block };
    const args = structuredClone(block.arguments);
    return { ...block, arguments: args, argumentsError: "the arguments were cut off" };
  }
}
