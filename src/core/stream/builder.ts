import type { Origin } from "../api/provider.js";
import { type ParsedArguments, parseArguments } from "../json/arguments.js";
import { IncrementalJson } from "../json/incremental.js";
import { emptyUsage, markCutUsage } from "../message/usage.js";
import type {
  AssistantContent,
  AssistantMessage,
  LiveAssistantMessageEvent,
  StopReason,
  TextContent,
  ThinkingContent,
  ToolCall,
} from "../types.js";
import { cutCalls, liveCall } from "./live-call.js";

/** The message before any content has arrived. */
export function answerHeader(
  { provider, model, timestamp, priceKnown }: Origin,
  api: string,
): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api,
    provider,
    model,
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp,
    ...(priceKnown ? {} : { ext: { synthesised: ["/usage/cost"] } }),
  };
}

type Streaming = TextContent | ThinkingContent | ToolCall;

/**
 * Builds a message block by block and emits an event for every step; `MessageReducer` is its counterpart for readers. The
 * message is one live object; a delta costs only its own length.
 *
 * @example
 * const builder = new AnswerBuilder(header);
 * const index = builder.open({ type: "text", text: "" });
 * builder.delta(index, "Hello");
 * builder.close(index);
 * builder.done("stop");
 * for (const event of builder.drain()) use(event);
 */
export class AnswerBuilder {
  readonly message: AssistantMessage;
  #events: LiveAssistantMessageEvent[] | undefined;
  readonly #open = new Map<number, IncrementalJson | undefined>();
  #ended = false;

  constructor(header: AssistantMessage) {
    this.message = header;
    this.#emit({ type: "start", partial: header });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The events since the last call. */
  drain(): LiveAssistantMessageEvent[] {
    const events = this.#events ?? [];
    this.#events = undefined;
    return events;
  }

  /** Starts a block that streams and returns its index. */
  open(block: Streaming): number {
    const { message } = this;
    const contentIndex = message.content.length;
    const base = { contentIndex, partial: message };
    if (block.type === "toolCall") {
      const json = new IncrementalJson();
      this.#open.set(contentIndex, json);
      message.content.push(liveCall(block, json));
      this.#emit({ type: "toolcall_start", ...base, id: block.id, name: block.name });
    } else {
      this.#open.set(contentIndex, undefined);
      message.content.push(block);
      this.#emit({ type: `${block.type}_start`, ...base });
    }
    return contentIndex;
  }

  delta(contentIndex: number, delta: string): void {
    if (delta === "") return;
    const block = this.message.content[contentIndex];
    const { message: partial } = this;
    // Literals, because in Node 20 spreading an object takes longer than the rest of this method.
    switch (block?.type) {
      case "text":
        block.text += delta;
        this.#emit({ type: "text_delta", contentIndex, delta, partial });
        return;
      case "thinking":
        block.thinking += delta;
        this.#emit({ type: "thinking_delta", contentIndex, delta, partial });
        return;
      case "toolCall":
        this.#open.get(contentIndex)?.push(delta);
        this.#emit({ type: "toolcall_delta", contentIndex, delta, partial });
    }
  }

  /** The text of an open call's arguments so far. */
  argumentsText(contentIndex: number): string {
    return this.#open.get(contentIndex)?.text ?? "";
  }

  /** Ends a block. For a call, `text` replaces the streamed arguments: some providers repeat them in full. */
  close(contentIndex: number, text?: string): void {
    if (!this.#open.has(contentIndex)) return;
    const json = this.#open.get(contentIndex);
    this.#open.delete(contentIndex);
    const block = this.message.content[contentIndex];
    const base = { contentIndex, partial: this.message };
    switch (block?.type) {
      case "text":
        this.#emit({ type: "text_end", ...base, content: block.text });
        return;
      case "thinking":
        this.#emit({ type: "thinking_end", ...base, content: block.thinking });
        return;
      case "toolCall": {
        setArguments(block, parseArguments(text ?? json?.text ?? ""));
        this.#emit({ type: "toolcall_end", ...base, toolCall: block });
      }
    }
  }

  /** Adds a block that does not stream. */
  whole(block: AssistantContent): void {
    const contentIndex = this.message.content.length;
    this.message.content.push(block);
    this.#emit({ type: "block_end", contentIndex, block, partial: this.message });
  }

  done(reason: Exclude<StopReason, "error" | "aborted">): void {
    if (this.#ended) return;
    for (const index of [...this.#open.keys()]) this.close(index);
    this.#ended = true;
    this.message.stopReason = reason;
    this.#emit({ type: "done", reason, message: this.message });
  }

  /**
   * Ends with the content so far; calls with incomplete arguments get an `argumentsError`. An empty usage is marked as unknown.
   * A reported one counts as final: a reader that knows it is not calls `markCutUsage` first.
   */
  fail(errorMessage: string, reason: "error" | "aborted" = "error"): void {
    if (this.#ended) return;
    this.#ended = true;
    cutCalls(this.message.content, this.#open);
    this.#open.clear();
    if (this.message.usage.totalTokens === 0) markCutUsage(this.message);
    this.message.stopReason = reason;
    this.message.errorMessage = errorMessage;
    this.#emit({ type: "error", reason, error: this.message });
  }

  /** Nearly every list has one event; pushing into an empty list would allocate room for 16 more. */
  #emit(event: LiveAssistantMessageEvent): void {
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }
}

/** Replaces the getter in place: copying the call would parse its arguments again. */
function setArguments(call: ToolCall, { arguments: value, ...rest }: ParsedArguments): void {
  Object.defineProperty(call, "arguments", { value, writable: true });
  Object.assign(call, rest);
}
