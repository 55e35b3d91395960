import { DragomanError, wordsOf } from "../error.js";
import { emptyUsage } from "../message/usage.js";
import type {
  AgentEvent,
  AgentMessage,
  AssistantMessage,
  AssistantMessageEvent,
  LiveAssistantMessageEvent,
} from "../types.js";
import { MessageReducer } from "./reduce.js";

/** Splits text into deltas. */
export type Cut = (text: string) => Iterable<string>;

const whole: Cut = (text) => (text === "" ? [] : [text]);

/**
 * The events that would have produced a message: the inverse of `reduce`. `cut` splits blocks into deltas (default: one each).
 *
 * @example
 * for (const event of events(message, (text) => text.match(/\S+\s*|\s+/g) ?? [])) socket.send(JSON.stringify(event));
 */
export function* events(message: AssistantMessage, cut: Cut = whole): Generator<AssistantMessageEvent> {
  const { errorMessage: _, ...header } = message;
  yield { type: "start", partial: { ...header, content: [], usage: emptyUsage(), stopReason: "stop" } };
  for (const [contentIndex, block] of message.content.entries()) {
    switch (block.type) {
      case "text":
        yield { type: "text_start", contentIndex };
        for (const delta of cut(block.text)) yield { type: "text_delta", contentIndex, delta };
        yield { type: "text_end", contentIndex, content: block.text };
        break;
      case "thinking":
        yield { type: "thinking_start", contentIndex };
        for (const delta of cut(block.thinking)) yield { type: "thinking_delta", contentIndex, delta };
        yield { type: "thinking_end", contentIndex, content: block.thinking };
        break;
      case "toolCall":
        yield { type: "toolcall_start", contentIndex, id: block.id, name: block.name };
        for (const delta of cut(JSON.stringify(block.arguments))) {
          yield { type: "toolcall_delta", contentIndex, delta };
        }
        yield { type: "toolcall_end", contentIndex, toolCall: block };
        break;
      default:
        yield { type: "block_end", contentIndex, block };
    }
  }
  if (message.stopReason === "error" || message.stopReason === "aborted") {
    yield { type: "error", reason: message.stopReason, error: message };
  } else {
    yield { type: "done", reason: message.stopReason, message };
  }
}

/** The events of a complete message: `message_start`, the steps of an answer's blocks, `message_end`. */
export function* messageEvents(message: AgentMessage): Generator<AgentEvent> {
  if (message.role !== "assistant") {
    yield { type: "message_start", message };
  } else {
    yield { type: "message_start", message: { ...message, content: [] } };
    const reducer = new MessageReducer();
    for (const event of events(message)) {
      const live = reducer.push(event);
      if (!("contentIndex" in live)) continue;
      yield { type: "message_update", message: live.partial, assistantMessageEvent: live };
    }
  }
  yield { type: "message_end", message };
}

/**
 * Makes a stream of events safe for consumers: `partial` on every event, exactly one terminal event, and nothing after it.
 * It does not throw after `start`: a source that fails or ends early becomes an `error` event with the content so far.
 */
export async function* liveEvents(
  source: AsyncIterable<AssistantMessageEvent>,
  signal?: AbortSignal,
): AsyncGenerator<LiveAssistantMessageEvent> {
  const reducer = new MessageReducer();
  let failure: string | undefined;
  try {
    for await (const event of source) {
      yield reducer.push(event);
      if (reducer.ended) return;
    }
  } catch (error) {
    if (reducer.partial === undefined) throw error;
    failure = wordsOf(error);
  }
  const reason = signal?.aborted === true ? "aborted" : "error";
  const message = reducer.finish(failure);
  message.stopReason = reason;
  yield { type: "error", reason, error: message };
}

/** Reads a stream to its end and returns the message; for a broken stream, with the content so far. */
export async function collect(source: AsyncIterable<AssistantMessageEvent>): Promise<AssistantMessage> {
  let last: AssistantMessage | undefined;
  for await (const event of liveEvents(source)) {
    last = event.type === "done" ? event.message : event.type === "error" ? event.error : event.partial;
  }
  if (last === undefined) throw new DragomanError("events/wrong-block", "the stream had no events");
  return last;
}
