import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type {
  AssistantContent,
  AssistantMessage,
  AssistantMessageEvent,
  ToolCall,
} from "../../core/types.js";
import { notesOf } from "./notes.js";
import { writeAnswerBlock } from "./parts.js";
import { isFailure, writeFailure, writeHead } from "./response.js";

/** Writes events as the API streams them, so that its clients assemble the same message. */
export class AnthropicWriter implements StreamWriter {
  /** Stream indexes by our block index. Blocks that the API cannot represent have none. */
  readonly #indexes = new Map<number, number>();
  #count = 0;
  /**
   * The first block that is written only with the final message, as are all after it: without the live message it is not
   * known whether thinking is redacted, how it is signed, what a text cites, or which kind of call it is.
   */
  #deferredFrom: number | undefined;
  /** Calls whose arguments have been sent, at least in part. */
  readonly #callsBegun = new Set<number>();

  push(event: AssistantMessageEvent): StreamPayload[] {
    return [...this.#payloads(event)].map((data) => ({ event: String(data["type"]), data }));
  }

  *#payloads(event: AssistantMessageEvent): Generator<JsonObject> {
    if ("contentIndex" in event && this.#defer(event)) return;
    switch (event.type) {
      case "start":
        yield messageStart(event.partial);
        return;
      case "text_start":
        yield* this.#open(event, blockAt(event, { type: "text", text: "" }));
        return;
      case "thinking_start":
        yield* this.#open(event, blockAt(event, { type: "thinking", thinking: "" }));
        return;
      case "toolcall_start": {
        const { id = "", name = "" } = event;
        yield* this.#open(event, blockAt(event, { type: "toolCall", id, name, arguments: {} }));
        return;
      }
      case "text_delta":
        yield* this.#writeDelta(event.contentIndex, { type: "text_delta", text: event.delta });
        return;
      case "thinking_delta":
        yield* this.#writeDelta(event.contentIndex, { type: "thinking_delta", thinking: event.delta });
        return;
      case "toolcall_delta":
        yield* this.#writeArguments(event.contentIndex, event.delta);
        return;
      case "text_end":
      case "thinking_end": {
        const block = event.partial?.content[event.contentIndex];
        if (block !== undefined) yield* this.#finish(event.contentIndex, block);
        return;
      }
      case "toolcall_end":
        yield* this.#endCall(event.contentIndex, event.toolCall);
        return;
      case "block_end":
        yield* this.#writeWhole(event.contentIndex, event.block);
        return;
      case "done":
        yield* this.#end(event.message);
        return;
      case "error":
        yield* this.#end(event.error);
    }
  }

  #defer({ type, contentIndex, partial }: Extract<AssistantMessageEvent, { contentIndex: number }>): boolean {
    if (this.#deferredFrom !== undefined) return true;
    const isUnclear = type === "thinking_start" || type === "toolcall_start" || type === "text_end";
    if (isUnclear && partial === undefined) this.#deferredFrom = contentIndex;
    return this.#deferredFrom !== undefined;
  }

  *#open({ contentIndex }: { contentIndex: number }, block: AssistantContent): Generator<JsonObject> {
    const wire = writeAnswerBlock(empty(block));
    if (wire === undefined) return;
    const index = this.#count++;
    this.#indexes.set(contentIndex, index);
    const content_block = Array.isArray(wire["citations"]) ? { ...wire, citations: [] } : wire;
    yield { type: "content_block_start", index, content_block };
  }

  *#writeDelta(contentIndex: number, delta: JsonObject): Generator<JsonObject> {
    const index = this.#indexes.get(contentIndex);
    if (index !== undefined) yield { type: "content_block_delta", index, delta };
  }

  *#writeArguments(contentIndex: number, partial_json: string): Generator<JsonObject> {
    this.#callsBegun.add(contentIndex);
    yield* this.#writeDelta(contentIndex, { type: "input_json_delta", partial_json });
  }

  *#endCall(contentIndex: number, call: ToolCall): Generator<JsonObject> {
    const text = JSON.stringify(call.arguments);
    if (!this.#callsBegun.has(contentIndex) && text !== "{}") yield* this.#writeArguments(contentIndex, text);
    yield* this.#stop(contentIndex);
  }

  /** Writes the signature and the citations of a block, then its end. */
  *#finish(contentIndex: number, block: AssistantContent): Generator<JsonObject> {
    const signature =
      block.type === "thinking" && block.redacted !== true ? block.thinkingSignature : undefined;
    if (signature !== undefined)
      yield* this.#writeDelta(contentIndex, { type: "signature_delta", signature });
    for (const citation of citationsOf(block)) {
      yield* this.#writeDelta(contentIndex, { type: "citations_delta", citation });
    }
    yield* this.#stop(contentIndex);
  }

  *#stop(contentIndex: number): Generator<JsonObject> {
    const index = this.#indexes.get(contentIndex);
    if (index !== undefined) yield { type: "content_block_stop", index };
  }

  *#writeWhole(contentIndex: number, block: AssistantContent): Generator<JsonObject> {
    yield* this.#open({ contentIndex }, block);
    switch (block.type) {
      case "text":
        yield* this.#writeDelta(contentIndex, { type: "text_delta", text: block.text });
        break;
      case "thinking":
        if (block.redacted === true) break;
        yield* this.#writeDelta(contentIndex, { type: "thinking_delta", thinking: block.thinking });
        break;
      case "toolCall":
        yield* this.#endCall(contentIndex, block);
        return;
      default: {
        const input = inputOf(block);
        if (input !== undefined) yield* this.#writeArguments(contentIndex, JSON.stringify(input));
      }
    }
    yield* this.#finish(contentIndex, block);
  }

  *#end(message: AssistantMessage): Generator<JsonObject> {
    const from = this.#deferredFrom ?? message.content.length;
    for (const [offset, block] of message.content.slice(from).entries()) {
      const contentIndex = from + offset;
      yield* this.#indexes.has(contentIndex)
        ? this.#finish(contentIndex, block)
        : this.#writeWhole(contentIndex, block);
    }
    if (isFailure(message)) yield writeFailure(message);
    else {
      yield messageDelta(message);
      yield { type: "message_stop" };
    }
  }
}

function messageStart(message: AssistantMessage): JsonObject {
  const { id, type, role, model, usage = {} } = writeHead(message);
  const begun = { id, type, role, model, content: [], stop_reason: null, stop_sequence: null, usage };
  return { type: "message_start", message: begun };
}

/** The rest of the head. Unknown fields are not put into `delta`, because they may belong outside it. */
function messageDelta(message: AssistantMessage): JsonObject {
  const { id: _, type, role, model, usage = {}, stop_reason, stop_sequence, ...rest } = writeHead(message);
  const { container, stop_details, ...others } = rest;
  const delta = {
    stop_reason,
    stop_sequence,
    ...(stop_details === undefined ? {} : { stop_details }),
    ...(container === undefined ? {} : { container }),
  };
  return { type: "message_delta", delta, usage, ...others };
}

/** The block that an event starts, as far as it is known. */
function blockAt(
  event: { contentIndex: number; partial?: AssistantMessage },
  block: AssistantContent,
): AssistantContent {
  const known = event.partial?.content[event.contentIndex];
  return known?.type === block.type ? known : block;
}

/** A block as it is before its first delta. */
function empty(block: AssistantContent): AssistantContent {
  switch (block.type) {
    case "text": {
      const { textSignature: _, ...unsigned } = block;
      return { ...unsigned, text: "" };
    }
    case "thinking": {
      if (block.redacted === true) return block;
      const { thinkingSignature: _, ...unsigned } = block;
      return { ...unsigned, thinking: "" };
    }
    case "toolCall":
      return { ...block, arguments: {} };
    case "opaque":
      return inputOf(block) === undefined || !isObject(block.value)
        ? block
        : { ...block, value: { ...block.value, input: {} } };
    default:
      return block;
  }
}

/** A server tool's input, which like the arguments of a call is sent after the start. */
function inputOf(block: AssistantContent): JsonObject | undefined {
  if (block.type !== "opaque" || !isObject(block.value)) return undefined;
  const { input } = block.value;
  return isObject(input) && Object.keys(input).length > 0 ? input : undefined;
}

function citationsOf(block: AssistantContent): unknown[] {
  const { fields } = block.type === "text" ? notesOf(block) : {};
  const citations = isObject(fields) ? fields["citations"] : undefined;
  return Array.isArray(citations) ? citations : [];
}
