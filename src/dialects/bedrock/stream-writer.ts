import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  AssistantMessage,
  AssistantMessageEvent,
  ToolCall,
} from "../../core/types.js";
import { notesOf } from "./notes.js";
import { writeAnswerBlock } from "./parts.js";
import { isFailure, writeFailure, writeFrame } from "./response.js";
import { objectIn } from "./wire.js";

/** Writes events as the API streams them, so that its clients assemble the same message. */
export class BedrockWriter implements StreamWriter {
  /** Stream indexes by our block index. Blocks that the API cannot represent have none. */
  readonly #indexes = new Map<number, number>();
  #count = 0;
  /**
   * The first block that is written only with the final message, as are all after it: without the live message it is not
   * known whether thinking is redacted, how it is signed, or what a text cites.
   */
  #deferredFrom: number | undefined;
  /** Calls whose arguments have been sent, at least in part. */
  readonly #callsBegun = new Set<number>();

  push(event: AssistantMessageEvent): StreamPayload[] {
    return [...this.#events(event)].map(([name, value]) => ({ event: name, data: { [name]: value } }));
  }

  *#events(event: AssistantMessageEvent): Generator<[string, JsonObject]> {
    if ("contentIndex" in event && this.#defer(event)) return;
    switch (event.type) {
      case "start":
        yield ["messageStart", { role: "assistant" }];
        return;
      case "text_start":
      case "thinking_start":
        this.#indexes.set(event.contentIndex, this.#count++);
        return;
      case "toolcall_start":
        yield* this.#startCall(event.contentIndex, {
          toolUseId: event.id ?? "",
          name: event.name ?? "",
          notes: notesOf(event.partial?.content[event.contentIndex]),
        });
        return;
      case "text_delta":
        yield* this.#writeDelta(event.contentIndex, { text: event.delta });
        return;
      case "thinking_delta":
        yield* this.#writeDelta(event.contentIndex, { reasoningContent: { text: event.delta } });
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
    const isUnclear = type === "thinking_start" || type === "text_end";
    if (isUnclear && partial === undefined) this.#deferredFrom = contentIndex;
    return this.#deferredFrom !== undefined;
  }

  *#startCall(
    contentIndex: number,
    { notes, ...toolUse }: { toolUseId: string; name: string; notes: JsonObject },
  ): Generator<[string, JsonObject]> {
    const contentBlockIndex = this.#count++;
    this.#indexes.set(contentIndex, contentBlockIndex);
    yield ["contentBlockStart", { start: restore({ toolUse }, notes), contentBlockIndex }];
  }

  *#writeDelta(contentIndex: number, delta: JsonObject): Generator<[string, JsonObject]> {
    const contentBlockIndex = this.#indexes.get(contentIndex);
    if (contentBlockIndex !== undefined) yield ["contentBlockDelta", { delta, contentBlockIndex }];
  }

  *#writeArguments(contentIndex: number, input: string): Generator<[string, JsonObject]> {
    this.#callsBegun.add(contentIndex);
    yield* this.#writeDelta(contentIndex, { toolUse: { input } });
  }

  *#endCall(contentIndex: number, call: ToolCall): Generator<[string, JsonObject]> {
    if (!this.#callsBegun.has(contentIndex)) {
      yield* this.#writeArguments(contentIndex, JSON.stringify(call.arguments));
    }
    yield* this.#stop(contentIndex);
  }

  /** Writes the signature and the citations of a block, then its end. */
  *#finish(contentIndex: number, block: AssistantContent): Generator<[string, JsonObject]> {
    const signature =
      block.type === "thinking" && block.redacted !== true ? block.thinkingSignature : undefined;
    if (signature !== undefined) yield* this.#writeDelta(contentIndex, { reasoningContent: { signature } });
    for (const citation of citationsOf(block)) yield* this.#writeDelta(contentIndex, { citation });
    yield* this.#stop(contentIndex);
  }

  *#stop(contentIndex: number): Generator<[string, JsonObject]> {
    const contentBlockIndex = this.#indexes.get(contentIndex);
    if (contentBlockIndex !== undefined) yield ["contentBlockStop", { contentBlockIndex }];
  }

  *#writeWhole(contentIndex: number, block: AssistantContent): Generator<[string, JsonObject]> {
    if (block.type === "toolCall") {
      yield* this.#startCall(contentIndex, { toolUseId: block.id, name: block.name, notes: notesOf(block) });
      yield* this.#endCall(contentIndex, block);
      return;
    }
    const wire = writeAnswerBlock(block);
    if (wire === undefined) return;
    const contentBlockIndex = this.#count++;
    this.#indexes.set(contentIndex, contentBlockIndex);
    const { start, deltas } = piecesOf(block, wire);
    if (start !== undefined) yield ["contentBlockStart", { start, contentBlockIndex }];
    for (const delta of deltas) yield* this.#writeDelta(contentIndex, delta);
    yield* this.#finish(contentIndex, block);
  }

  *#end(message: AssistantMessage): Generator<[string, JsonObject]> {
    const from = this.#deferredFrom ?? message.content.length;
    for (const [offset, block] of message.content.slice(from).entries()) {
      const contentIndex = from + offset;
      yield* this.#indexes.has(contentIndex)
        ? this.#finish(contentIndex, block)
        : this.#writeWhole(contentIndex, block);
    }
    if (isFailure(message)) {
      const { name, value } = writeFailure(message);
      yield [name, value];
      return;
    }
    const { output: _, stopReason, additionalModelResponseFields: fields, ...metadata } = writeFrame(message);
    const further = fields === undefined ? {} : { additionalModelResponseFields: fields };
    yield ["messageStop", { stopReason, ...further }];
    yield ["metadata", metadata];
  }
}

/** The start and the deltas of a complete block, without its signature and citations. */
function piecesOf(
  block: AssistantContent,
  wire: JsonObject,
): { start?: JsonObject; deltas: readonly JsonObject[] } {
  switch (block.type) {
    case "text":
      return { deltas: [{ text: block.text }] };
    case "thinking": {
      if (block.redacted !== true) return { deltas: [{ reasoningContent: { text: block.thinking } }] };
      return { deltas: [{ reasoningContent: { redactedContent: block.thinkingSignature ?? "" } }] };
    }
    default:
      return foreignPieces(wire);
  }
}

/** The pieces of a service tool's call or result, or of an image. Other blocks cannot be streamed. */
function foreignPieces(wire: JsonObject): { start?: JsonObject; deltas: readonly JsonObject[] } {
  const use = objectIn(wire, "toolUse");
  if (use !== undefined) {
    const { input, ...start } = use;
    const text = typeof input === "string" ? input : JSON.stringify(input);
    return { start: { toolUse: start }, deltas: [{ toolUse: { input: text } }] };
  }
  const result = objectIn(wire, "toolResult");
  if (result !== undefined) {
    const { content, ...start } = result;
    return { start: { toolResult: start }, deltas: Array.isArray(content) ? [{ toolResult: content }] : [] };
  }
  const image = objectIn(wire, "image");
  if (image !== undefined) {
    const { format, ...source } = image;
    return { start: { image: { format } }, deltas: [{ image: source }] };
  }
  return { deltas: [] };
}

function citationsOf(block: AssistantContent): unknown[] {
  const { citations } = block.type === "text" ? notesOf(block) : {};
  return Array.isArray(citations) ? citations : [];
}
