import { isObject, type JsonObject } from "../../core/json/value.js";
import { writeSignature } from "../../core/message/responses-signatures.js";
import type { AnswerBuilder } from "../../core/stream/builder.js";
import type { TextContent, ThinkingContent, ToolCall } from "../../core/types.js";
import { addNotes, withNotes } from "./notes.js";
import { addPiece } from "./opaque-deltas.js";
import { readItem, signatureOf, thinkingOf } from "./read-items.js";
import { NAME } from "./wire.js";

/** An output item that is being streamed. */
export interface LiveItem {
  /** Accepts a payload for this item. */
  accept(payload: JsonObject): void;
  /** Ends the item; `item` is absent if the stream ended before it was complete. */
  finish(item?: JsonObject): void;
}

export class MessageItem implements LiveItem {
  readonly #builder: AnswerBuilder;
  readonly #item: JsonObject;
  /** Block indexes by part index. */
  readonly #blocks = new Map<number, number>();

  constructor(builder: AnswerBuilder, item: JsonObject) {
    this.#builder = builder;
    this.#item = item;
  }

  accept({ type, content_index, delta, text, refusal, part }: JsonObject): void {
    const index = typeof content_index === "number" ? content_index : 0;
    switch (type) {
      case "response.content_part.added":
        if (isObject(part) && (part["type"] === "output_text" || part["type"] === "refusal"))
          this.#openBlock(index);
        return;
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (typeof delta === "string") this.#builder.delta(this.#openBlock(index), delta);
        return;
      case "response.output_text.done":
      case "response.refusal.done":
        this.#setText(index, text ?? refusal);
    }
  }

  finish(item?: JsonObject): void {
    const blocks = item === undefined ? [] : readItem(removeEmptyLogprobs(item), "/item");
    for (const [index, block] of blocks.entries()) {
      if (block.type === "text") this.#complete(index, block);
      else this.#builder.whole(block);
    }
    for (const block of this.#blocks.values()) this.#builder.close(block);
  }

  #complete(index: number, { text, textSignature, ext }: TextContent): void {
    const live = this.#setText(index, text);
    if (live === undefined) return;
    if (textSignature !== undefined) live.textSignature = textSignature;
    if (ext !== undefined) live.ext = ext;
  }

  #openBlock(index: number): number {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const signature = this.#blocks.size === 0 ? signatureOf(this.#item) : undefined;
    const textSignature = signature === undefined ? {} : { textSignature: writeSignature(signature) };
    const block = this.#builder.open({ type: "text", text: "", ...textSignature });
    this.#blocks.set(index, block);
    return block;
  }

  /** The complete text replaces the deltas, because some streams omit deltas. */
  #setText(index: number, text: unknown): TextContent | undefined {
    const block = this.#openBlock(index);
    const live = this.#builder.message.content[block];
    if (live?.type !== "text" || typeof text !== "string") return undefined;
    if (text.startsWith(live.text)) this.#builder.delta(block, text.slice(live.text.length));
    else live.text = text;
    return live;
  }
}

/** Removes the empty `logprobs` that every streamed part has. */
function removeEmptyLogprobs(item: JsonObject): JsonObject {
  const { content } = item;
  if (!Array.isArray(content)) return item;
  return {
    ...item,
    content: content.map((part: unknown) => {
      if (!isObject(part) || !Array.isArray(part["logprobs"]) || part["logprobs"].length > 0) return part;
      const { logprobs, ...rest } = part;
      return rest;
    }),
  };
}

export class ReasoningItem implements LiveItem {
  readonly #builder: AnswerBuilder;
  readonly #block: number;
  /** The source of the deltas: the summary, or the thinking itself. Only the first one to arrive is shown. */
  #source: string | undefined;
  #part: unknown;

  constructor(builder: AnswerBuilder, item: JsonObject) {
    this.#builder = builder;
    const block: ThinkingContent = { type: "thinking", thinking: "" };
    this.#block = builder.open(withNotes(block, { id: firstText(item["id"]) }));
  }

  accept({ type, delta, summary_index, content_index }: JsonObject): void {
    if (type === "response.reasoning_summary_text.delta") this.#addDelta("summary", summary_index, delta);
    else if (type === "response.reasoning_text.delta") this.#addDelta("content", content_index, delta);
  }

  #addDelta(source: string, part: unknown, delta: unknown): void {
    this.#source ??= source;
    if (source !== this.#source || typeof delta !== "string") return;
    if (this.#part !== undefined && this.#part !== part) this.#builder.delta(this.#block, "\n\n");
    this.#part = part;
    this.#builder.delta(this.#block, delta);
  }

  finish(item?: JsonObject): void {
    const live = this.#builder.message.content[this.#block];
    if (item !== undefined && live?.type === "thinking") this.#complete(live, item);
    this.#builder.close(this.#block);
  }

  #complete(live: ThinkingContent, item: JsonObject): void {
    const text = thinkingOf(item);
    if (text.startsWith(live.thinking)) this.#builder.delta(this.#block, text.slice(live.thinking.length));
    else if (text !== "") live.thinking = text;
    if (canBeSentBack(item)) {
      live.thinkingSignature = JSON.stringify(item);
      delete live.ext;
    } else markUnpaired(this.#builder);
  }
}

/** The provider stores nothing for us, so an item can be sent back only if it contains the thinking itself. */
function canBeSentBack({ encrypted_content, content }: JsonObject): boolean {
  if (typeof encrypted_content === "string" && encrypted_content !== "") return true;
  return Array.isArray(content) && content.length > 0;
}

/** Notes that item ids must not be sent: the provider refuses an item's id if the reasoning before it is missing. */
function markUnpaired({ message }: AnswerBuilder): void {
  addNotes(message, { unpaired: true });
}

export class CallItem implements LiveItem {
  readonly #builder: AnswerBuilder;
  readonly #item: JsonObject;
  readonly #block: number;
  #arguments: string | undefined;

  constructor(builder: AnswerBuilder, item: JsonObject) {
    this.#builder = builder;
    this.#item = item;
    const [id = "", name = ""] = [firstText(item["call_id"], item["id"]), firstText(item["name"])];
    const block: ToolCall = { type: "toolCall", id, name, arguments: {} };
    this.#block = builder.open(withNotes(block, { id: firstText(item["id"]) }));
  }

  accept({ type, delta, arguments: text }: JsonObject): void {
    if (type === "response.function_call_arguments.delta" && typeof delta === "string") {
      this.#builder.delta(this.#block, delta);
    } else if (type === "response.function_call_arguments.done" && typeof text === "string") {
      this.#arguments = text;
    }
  }

  /** The complete arguments replace the deltas. */
  finish(last: JsonObject = {}): void {
    const item = { ...this.#item, ...last };
    const streamed = this.#builder.argumentsText(this.#block);
    const text = firstText(item["arguments"], this.#arguments, streamed) ?? "";
    const [call_id = "", name = ""] = [firstText(item["call_id"], item["id"]), firstText(item["name"])];
    const [call] = readItem({ ...item, type: "function_call", call_id, name, arguments: text }, "/item");
    const live = this.#builder.message.content[this.#block];
    if (call?.type === "toolCall" && live?.type === "toolCall") {
      Object.assign(live, { id: call.id, name: call.name });
      if (call.ext !== undefined) live.ext = call.ext;
    }
    if (streamed === "") this.#builder.delta(this.#block, text);
    this.#builder.close(this.#block, text);
  }
}

function firstText(...candidates: unknown[]): string | undefined {
  return candidates.filter((candidate) => typeof candidate === "string").find((text) => text !== "");
}

/** An item of an unknown kind. */
export class OpaqueItem implements LiveItem {
  readonly #builder: AnswerBuilder;
  readonly #item: JsonObject;

  constructor(builder: AnswerBuilder, item: JsonObject) {
    this.#builder = builder;
    this.#item = item;
  }

  accept(payload: JsonObject): void {
    addPiece(this.#item, payload);
  }

  finish(item = this.#item): void {
    this.#builder.whole({ type: "opaque", dialect: NAME, value: item });
  }
}
