import { DragomanError } from "../error.js";
import { IncrementalJson } from "../json/incremental.js";
import { markCutUsage } from "../message/usage.js";
import type {
  AssistantContent,
  AssistantMessage,
  AssistantMessageEvent,
  LiveAssistantMessageEvent,
  ToolCall,
} from "../types.js";
import { cutCalls, liveCall } from "./live-call.js";

type BlockEvent = Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }>;
type BlockOf<T extends AssistantContent["type"]> = Extract<AssistantContent, { type: T }>;

/**
 * Builds a message from its events. `partial` is one live object from the first event to the last, and an event costs only
 * its own size, however large the message is.
 *
 * @example
 * const reducer = new MessageReducer();
 * for (const event of events) render(reducer.push(event).partial);
 * const message = reducer.finish();
 */
export class MessageReducer {
  #message: AssistantMessage | undefined;
  #ended = false;
  readonly #arguments = new Map<number, IncrementalJson>();

  /** The message so far; undefined before `start`. */
  get partial(): AssistantMessage | undefined {
    return this.#message;
  }

  /** True once the terminal event was seen. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Applies the next event and returns it with `partial`. */
  push(event: AssistantMessageEvent): LiveAssistantMessageEvent {
    if (this.#ended) {
      throw new DragomanError("events/after-end", `"${event.type}" came after the terminal event`);
    }
    switch (event.type) {
      case "start":
        this.#message = { ...event.partial, content: [...event.partial.content] };
        return { ...event, partial: this.#message };
      case "done":
        return { ...event, message: this.#end(event.message) };
      case "error":
        return { ...event, error: this.#end(event.error) };
      default: {
        const partial = this.#started(event.type);
        this.#block(partial, event);
        // Not `{ ...event, partial }`: adding a field to a spread copy takes V8 ten times as long.
        return Object.assign({}, event, { partial });
      }
    }
  }

  /** The final message; for a broken stream, the content so far with stop reason `error`. */
  finish(errorMessage = "the stream ended before its terminal event"): AssistantMessage {
    const message = this.#started("finish");
    if (this.#ended) return message;
    this.#ended = true;
    cutCalls(message.content, this.#arguments);
    markCutUsage(message);
    message.stopReason = "error";
    message.errorMessage = errorMessage;
    return message;
  }

  #started(what: string): AssistantMessage {
    if (this.#message !== undefined) return this.#message;
    throw new DragomanError("events/wrong-block", `"${what}" came before "start"`);
  }

  /** Turns the live object into the final message of the terminal event. */
  #end(final: AssistantMessage): AssistantMessage {
    this.#ended = true;
    const live = this.#message ?? final;
    for (const key of Object.keys(live)) if (!(key in final)) Reflect.deleteProperty(live, key);
    this.#message = Object.assign(live, final);
    return live;
  }

  #block(message: AssistantMessage, event: BlockEvent): void {
    const { content } = message;
    const index = event.contentIndex;
    if (!Number.isInteger(index) || index < 0 || index > content.length) {
      throw new DragomanError(
        "events/wrong-block",
        `"${event.type}" is for block ${index}, but there are ${content.length} blocks`,
      );
    }
    switch (event.type) {
      case "text_start":
        content[index] = { type: "text", text: "" };
        return;
      case "text_delta":
        open(content, index, "text", emptyText).text += event.delta;
        return;
      case "text_end":
        open(content, index, "text", emptyText).text = event.content;
        return;
      case "thinking_start":
        content[index] = { type: "thinking", thinking: "" };
        return;
      case "thinking_delta":
        open(content, index, "thinking", emptyThinking).thinking += event.delta;
        return;
      case "thinking_end":
        open(content, index, "thinking", emptyThinking).thinking = event.content;
        return;
      case "toolcall_start": {
        const known = event.partial?.content[index];
        const named = known?.type === "toolCall" ? known : { id: "", name: "" };
        content[index] = this.#openCall(index, event.id ?? named.id, event.name ?? named.name);
        return;
      }
      case "toolcall_delta":
        open(content, index, "toolCall", () => this.#openCall(index, "", ""));
        this.#arguments.get(index)?.push(event.delta);
        return;
      case "toolcall_end":
        this.#arguments.delete(index);
        content[index] = event.toolCall;
        return;
      case "block_end":
        content[index] = event.block;
        return;
    }
  }

  #openCall(index: number, id: string, name: string): ToolCall {
    const json = new IncrementalJson();
    this.#arguments.set(index, json);
    return liveCall({ type: "toolCall", id, name }, json);
  }
}

const emptyText = (): BlockOf<"text"> => ({ type: "text", text: "" });
const emptyThinking = (): BlockOf<"thinking"> => ({ type: "thinking", thinking: "" });

/** The block of an event. Some producers send deltas without a start: then the block starts here. */
function open<T extends AssistantContent["type"]>(
  content: AssistantContent[],
  index: number,
  type: T,
  begin: () => BlockOf<T>,
): BlockOf<T> {
  const block = content[index];
  if (block === undefined) {
    const started = begin();
    content[index] = started;
    return started;
  }
  if (isBlock(block, type)) return block;
  throw new DragomanError("events/wrong-block", `block ${index} is "${block.type}", not "${type}"`);
}

function isBlock<T extends AssistantContent["type"]>(block: AssistantContent, type: T): block is BlockOf<T> {
  return block.type === type;
}

/** Reduces the events of one answer to its message. */
export function reduce(events: Iterable<AssistantMessageEvent>): AssistantMessage {
  const reducer = new MessageReducer();
  for (const event of events) reducer.push(event);
  return reducer.finish();
}
