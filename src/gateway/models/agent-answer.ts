import { wordsOf } from "../../core/error.js";
import { isSilent } from "../../core/message/failure.js";
import { isPriceUnknown, sumUsage } from "../../core/message/usage.js";
import { AnswerBuilder } from "../../core/stream/builder.js";
import { events } from "../../core/stream/events.js";
import type {
  AgentMessage,
  AssistantMessage,
  AssistantMessageEvent,
  LiveAssistantMessageEvent,
  Usage,
} from "../../core/types.js";
import type { Entry } from "../../log/types.js";
import type { Follower } from "../../runtime/feed.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { type Failure, failureOfAnswer, refusalOf } from "./failure.js";

/**
 * All that an agent says to one message, as one answer: the texts and the thinking of its turns, with a blank line where
 * tools ran in between. The calls are not the client's to answer, so they are left out.
 */
export class AgentAnswer implements Follower {
  readonly #builder: AnswerBuilder;
  #to: string;
  readonly #emit: (event: LiveAssistantMessageEvent) => void;
  readonly #usages: Usage[] = [];
  /** The blocks of the turn's message that were begun here, by their index there. */
  readonly #blocks = new Map<number, number>();
  #begun = false;
  #streamed = false;
  #hasText = false;
  /** Whether something was said before this turn. */
  #hasEarlierText = false;
  /** The agent's last message, when it calls no tool: what a user says next is another matter. */
  #last: AssistantMessage | undefined;
  #failure: Failure | undefined;

  /** `to` is the id of the message that is answered. */
  constructor(header: AssistantMessage, to: string, tell: (event: LiveAssistantMessageEvent) => void) {
    this.#builder = new AnswerBuilder(header);
    this.#to = to;
    this.#emit = tell;
  }

  get message(): AssistantMessage {
    return this.#builder.message;
  }

  get ended(): boolean {
    return this.#builder.ended;
  }

  onEntry({ message }: Pick<Entry, "message">): void {
    if (this.ended) return;
    this.#observe(message);
    this.#flush();
  }

  onEvent(event: ConversationEvent): void {
    if (this.ended) return;
    if (this.#begun && event.type === "agent" && event.event.type === "message_update") {
      this.#streamed = true;
      this.#addEvent(event.event.assistantMessageEvent);
    } else if (this.#begun && event.type === "run_end") {
      if (event.outcome === "aborted") this.#fail({ code: "aborted", message: "the run was aborted" });
      else if (this.#failure !== undefined) this.#fail(this.#failure);
      else if (event.outcome === "error") {
        this.#fail({ code: "provider/failed", message: event.error ?? "the run failed" });
      } else this.#done();
    }
    this.#flush();
  }

  onFailure(error: unknown): void {
    this.stop({ code: "agent/not-stored", message: wordsOf(error) });
  }

  /** The same of a message that was answered before, from the transcript. */
  replay(to: string, messages: readonly AgentMessage[]): void {
    this.#to = to;
    for (const message of messages) this.#observe(message);
    if (!this.ended) this.#finish();
    this.#flush();
  }

  /** Ends it, unless it has ended. What another process answered has no end of a run here: it is done if it is whole. */
  stop(failure: Failure): void {
    if (this.ended) return;
    this.#finish();
    if (!this.ended) this.#fail(failure);
    this.#flush();
  }

  #flush(): void {
    for (const event of this.#builder.take()) this.#emit(event);
  }

  #observe(message: AgentMessage): void {
    if (message.role === "user") {
      if (message.id === this.#to) this.#begun = true;
      else this.#finish();
    } else if (!this.#begun || this.ended) return;
    else if (message.role === "assistant") this.#endTurn(message);
    else if (message.role === "error") this.#failure = failureOfAnswer(message);
  }

  #endTurn(message: AssistantMessage): void {
    if (!this.#streamed) for (const event of events(message)) this.#addEvent(event);
    for (const index of this.#blocks.values()) this.#builder.close(index);
    this.#blocks.clear();
    this.#streamed = false;
    this.#hasEarlierText = this.#hasText;
    this.#usages.push(message.usage);
    if (isPriceUnknown(message)) this.message.ext = { ...this.message.ext, synthesised: ["/usage/cost"] };
    this.#last = message.stopReason === "toolUse" ? undefined : message;
    // What was said before an abort stands as an answer; nothing does not.
    this.#failure =
      message.stopReason === "error" || isSilent(message) ? failureOfAnswer(message) : undefined;
  }

  #addEvent(event: AssistantMessageEvent): void {
    switch (event.type) {
      case "text_delta":
      case "thinking_delta":
        this.#addDelta(event.type === "text_delta" ? "text" : "thinking", event.contentIndex, event.delta);
        return;
      case "text_end":
      case "thinking_end":
        this.#endBlock(event.type === "text_end" ? "text" : "thinking", event.contentIndex, event.content);
        return;
      case "block_end":
        if (event.block.type === "image" || event.block.type === "audio" || event.block.type === "file") {
          this.#builder.whole(event.block);
        }
        return;
      default:
    }
  }

  #addDelta(type: "text" | "thinking", contentIndex: number, delta: string): void {
    let index = this.#blocks.get(contentIndex);
    if (index === undefined) {
      index = this.#builder.open(type === "text" ? { type, text: "" } : { type, thinking: "" });
      this.#blocks.set(contentIndex, index);
      if (type === "text") {
        if (this.#hasEarlierText) this.#builder.delta(index, "\n\n");
        this.#hasEarlierText = false;
        this.#hasText = true;
      }
    }
    this.#builder.delta(index, delta);
  }

  #endBlock(type: "text" | "thinking", contentIndex: number, content: string): void {
    if (!this.#blocks.has(contentIndex) && content !== "") this.#addDelta(type, contentIndex, content);
    const index = this.#blocks.get(contentIndex);
    if (index !== undefined) this.#builder.close(index);
  }

  /** Nothing more is said to the message; if nothing was, it waits for its answer. */
  #finish(): void {
    if (this.#failure !== undefined) this.#fail(this.#failure);
    else if (this.#last !== undefined) this.#done();
  }

  #done(): void {
    this.message.usage = sumUsage(this.#usages);
    this.#builder.done(this.#last?.stopReason === "length" ? "length" : "stop");
  }

  #fail(failed: Failure): void {
    const { message: _, ...failure } = failed;
    this.message.usage = sumUsage(this.#usages);
    this.message.ext = { ...this.message.ext, failure };
    this.#builder.fail(refusalOf(failed).message, failure.code === "aborted" ? "aborted" : "error");
  }
}
