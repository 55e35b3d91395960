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

/** One question to a model, and what came of it. It can be left at any event: what had arrived by then is kept. */
export class Answer {
  readonly #openStream: () => AsyncIterable<LiveAssistantMessageEvent>;
  readonly #signal: AbortSignal;
  /** The live message of the stream; it grows while the stream goes on. */
  #partial: AssistantMessage;
  #final: AssistantMessage | undefined;
  #thrown: Failure | undefined;
  /** Calls whose arguments have arrived. */
  readonly #wholeCalls = new Set<number>();
  /** Given when it is first shown: whoever follows it knows by what name it will be stored. */
  #id: string | undefined;

  constructor(
    model: AgentModel,
    /** Made late, so that what fails while it is made is a failed answer like any other. */
    context: () => Context,
    options: CallOptions & { onLosses?: OnLosses | undefined },
    signal: AbortSignal,
    now: () => number,
  ) {
    const { onLosses, ...call } = options;
    const told = onLosses === undefined ? {} : { onLosses };
    this.#partial = emptyAnswer(model, now());
    this.#openStream = () => model.stream(context(), { ...call, ...told, signal });
    this.#signal = signal;
  }

  /** Whether `message_start` was handed out. */
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
      // Not waited for: a stream that does not stop must not hold up the run, and what it says by now is of no use.
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
    // Only with the first block is it certain that there will be a message.
    if (this.#id === undefined) {
      this.#id = newId();
      yield { type: "message_start", message: { ...this.#withId(event.partial), content: [] } };
    }
    yield { type: "message_update", message: event.partial, assistantMessageEvent: event };
  }

  /** The message of a stream is one object, but its end may make it anew, without what was added. */
  #withId(message: AssistantMessage): AssistantMessage {
    if (this.#id !== undefined) message.id = this.#id;
    return message;
  }

  /** What is to be stored: the answer, or the part of it that had arrived, which is nothing if the model had not begun. */
  message(): AssistantMessage {
    const final = this.#final;
    if (final !== undefined && !isBroken(final)) return final;
    if (final !== undefined && final.usage.totalTokens === 0) markCutUsage(final);
    if (final !== undefined && final.content.length > 0) return final;
    const content = this.#partial.content.map((block, index) => this.#snapshot(block, index));
    if (final !== undefined) return { ...final, content };
    return this.#withId(brokenAnswer({ ...this.#partial, content }, this.#thrown));
  }

  /** A block as it is at this moment. The arguments of a call that is still arriving are read from a live parser. */
  #snapshot(block: AssistantContent, index: number): AssistantContent {
    if (block.type !== "toolCall" || this.#wholeCalls.has(index)) return { ...block };
    const args = structuredClone(block.arguments);
    return { ...block, arguments: args, argumentsError: "the arguments were cut off" };
  }
}
