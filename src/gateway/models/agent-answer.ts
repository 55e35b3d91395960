import { wordsOf } from "../../core/error.js";
import { isSilent } from "../../core/message/failure.js";
import { callsOf } from "../../core/message/open-calls.js";
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
 * Joins all of an agent's answers to one message: the texts and the thinking of its turns, with a blank line between
 * turns. Tool calls are left out, because the agent runs them itself. A structured answer is only the text of the last
 * turn, because earlier texts would make it invalid JSON.
 */
export class AgentAnswer implements Follower {
  readonly #builder: AnswerBuilder;
  #to: string;
  readonly #emit: (event: LiveAssistantMessageEvent) => void;
  readonly #isStructured: boolean;
  readonly #usages: Usage[] = [];
  /** Our block indexes by the block index in the turn's message. */
  readonly #blocks = new Map<number, number>();
  #begun = false;
  #streamed = false;
  #hasText = false;
  /** Whether an earlier turn has text. */
  #hasEarlierText = false;
  /** The agent's last message if it calls no tool, which makes the answer complete. */
  #last: AssistantMessage | undefined;
  #failure: Failure | undefined;
  #latest: AssistantMessage | undefined;

  /** `to` is the id of the message that is answered. */
  constructor(
    header: AssistantMessage,
    to: string,
    emit: (event: LiveAssistantMessageEvent) => void,
    { isStructured = false } = {},
  ) {
    this.#builder = new AnswerBuilder(header);
    this.#to = to;
    this.#isStructured = isStructured;
    this.#emit = emit;
  }

  get message(): AssistantMessage {
    return this.#builder.message;
  }

  /** The model's own latest message, which names the model. */
  get latest(): AssistantMessage | undefined {
    return this.#latest;
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
      if (event.event.message.role === "assistant") this.#latest = event.event.message;
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

  /** Emits the answer to a message that was answered before, from the transcript. */
  replay(to: string, messages: readonly AgentMessage[]): void {
    this.#to = to;
    for (const message of messages) this.#observe(message);
    if (!this.ended) this.#finish();
    this.#flush();
  }

  /** Ends the answer: successfully if it is complete, which happens without a `run_end` if another process answered. */
  stop(failure: Failure): void {
    if (this.ended) return;
    this.#finish();
    if (!this.ended) this.#fail(failure);
    this.#flush();
  }

  #flush(): void {
    for (const event of this.#builder.drain()) this.#emit(event);
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
    this.#latest = message;
    if (!this.#streamed) for (const event of events(message)) this.#addEvent(event);
    if (this.#isStructured && callsOf(message).length === 0) this.#addText(message);
    for (const index of this.#blocks.values()) this.#builder.close(index);
    this.#blocks.clear();
    this.#streamed = false;
    this.#hasEarlierText = this.#hasText;
    this.#usages.push(message.usage);
    if (isPriceUnknown(message)) this.message.ext = { ...this.message.ext, synthesised: ["/usage/cost"] };
    this.#last = message.stopReason === "toolUse" ? undefined : message;
    // Text before an abort is an answer; an abort without text is a failure.
    this.#failure =
      message.stopReason === "error" || isSilent(message) ? failureOfAnswer(message) : undefined;
  }

  /** The text of a turn is known to be the last one's when the turn has ended without a call. */
  #addText({ content }: AssistantMessage): void {
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    if (text === "") return;
    const index = this.#builder.open({ type: "text", text: "" });
    this.#builder.delta(index, text);
    this.#builder.close(index);
  }

  #addEvent(event: AssistantMessageEvent): void {
    if (this.#isStructured && (event.type === "text_delta" || event.type === "text_end")) return;
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

  /** Ends the answer if the agent has answered; otherwise continues to wait. */
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
