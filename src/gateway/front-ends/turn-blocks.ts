import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import type { Block, CallName, ChunkWriter } from "./chunk-writer.js";

type Sent =
  | { type: "block"; block: Block; length: number; isOpen: boolean }
  | { type: "call"; call: CallName; isOpen: boolean; hasArguments: boolean }
  | { type: "whole" };

/** The blocks of one turn as chunks: from events while it streams, and from the stored message what the events left out. */
export class TurnBlocks<C> {
  readonly #writer: ChunkWriter<C>;
  readonly #messageId: string;
  readonly #sent = new Map<number, Sent>();

  constructor(writer: ChunkWriter<C>, messageId: string) {
    this.#writer = writer;
    this.#messageId = messageId;
  }

  push(event: AssistantMessageEvent, partial: AssistantMessage): C[] {
    switch (event.type) {
      case "text_delta":
      case "thinking_delta":
        if (event.delta === "") return [];
        return this.#addText(event.type === "text_delta" ? "text" : "thinking", event);
      case "text_end":
      case "thinking_end":
        return this.#complete(event.contentIndex, textBlock(event.type, event.content));
      case "toolcall_start":
        return this.#openCall(event.contentIndex, partial.content[event.contentIndex], event);
      case "toolcall_delta":
        return this.#addArguments(event.contentIndex, event.delta);
      case "toolcall_end":
        return this.#complete(event.contentIndex, event.toolCall);
      case "block_end":
        return this.#complete(event.contentIndex, event.block);
      default:
        return [];
    }
  }

  /** What the message has and the events did not: afterwards a client has all of it. */
  finish(content: readonly AssistantContent[]): C[] {
    const chunks = [...content.entries()].flatMap(([index, block]) => this.#complete(index, block));
    for (const [index, sent] of this.#sent) {
      if (index >= content.length) chunks.push(...this.#abandon(sent));
    }
    return chunks;
  }

  #addText(kind: Block["kind"], { contentIndex, delta }: { contentIndex: number; delta: string }): C[] {
    const sent = this.#sent.get(contentIndex);
    if (sent === undefined) {
      const block = { kind, id: this.#blockId(contentIndex) };
      this.#sent.set(contentIndex, { type: "block", block, length: delta.length, isOpen: true });
      return [...this.#writer.openBlock(block), ...this.#writer.appendText(block, delta)];
    }
    if (sent.type !== "block" || !sent.isOpen) return [];
    sent.length += delta.length;
    return this.#writer.appendText(sent.block, delta);
  }

  #openCall(
    index: number,
    block: AssistantContent | undefined,
    named: { id?: string | undefined; name?: string | undefined },
  ): C[] {
    if (this.#sent.has(index)) return [];
    const known = block?.type === "toolCall" ? block : undefined;
    const { id = known?.id, name = known?.name } = named;
    if (id === undefined || name === undefined) return [];
    const call = { id, name, blockId: this.#blockId(index) };
    this.#sent.set(index, { type: "call", call, isOpen: true, hasArguments: false });
    return this.#writer.openCall(call);
  }

  #addArguments(index: number, delta: string): C[] {
    const sent = this.#sent.get(index);
    if (sent?.type !== "call" || !sent.isOpen || delta === "") return [];
    sent.hasArguments = true;
    return this.#writer.appendArguments(sent.call, delta);
  }

  #complete(index: number, block: AssistantContent): C[] {
    switch (block.type) {
      case "text":
        return this.#completeText(index, "text", block.text);
      case "thinking":
        return this.#completeText(index, "thinking", block.thinking);
      case "toolCall": {
        const opened = this.#openCall(index, block, {});
        const sent = this.#sent.get(index);
        if (sent?.type !== "call" || !sent.isOpen) return opened;
        sent.isOpen = false;
        const rest = sent.hasArguments
          ? []
          : this.#writer.appendArguments(sent.call, JSON.stringify(block.arguments));
        return [...opened, ...rest, ...this.#writer.closeCall(sent.call, block)];
      }
      default:
        if (this.#sent.has(index)) return [];
        this.#sent.set(index, { type: "whole" });
        return this.#writer.wholeBlock(block, this.#blockId(index));
    }
  }

  #completeText(index: number, kind: Block["kind"], text: string): C[] {
    const sent = this.#sent.get(index);
    if (sent !== undefined && (sent.type !== "block" || !sent.isOpen)) return [];
    const block = sent?.block ?? { kind, id: this.#blockId(index) };
    const length = sent?.length ?? 0;
    this.#sent.set(index, { type: "block", block, length: text.length, isOpen: false });
    return [
      ...(sent === undefined ? this.#writer.openBlock(block) : []),
      ...(text.length > length ? this.#writer.appendText(block, text.slice(length)) : []),
      ...this.#writer.closeBlock(block),
    ];
  }

  #abandon(sent: Sent): C[] {
    if (sent.type === "whole" || !sent.isOpen) return [];
    sent.isOpen = false;
    return sent.type === "block" ? this.#writer.closeBlock(sent.block) : this.#writer.dropCall(sent.call);
  }

  #blockId(index: number): string {
    return `${this.#messageId}:${index}`;
  }
}

function textBlock(type: "text_end" | "thinking_end", content: string): AssistantContent {
  return type === "text_end" ? { type: "text", text: content } : { type: "thinking", thinking: content };
}
