import type { JsonObject } from "../../core/json/value.js";
import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import type { TimbalSender } from "./sender.js";
import { blockValue } from "./values.js";

export interface TimbalAnswerOptions {
  /** Makes the id of each block; ids must ascend. */
  id: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Who answers, where several could. */
  sender?: string;
}

interface Block {
  id: string;
  done: boolean;
}

/**
 * Turns the events of one answer into frames: each block is a Timbal message of its own, begun, filled and completed as
 * the events come. When the answer ends, completely or not, every block that is still open is completed with what it has.
 *
 * @example
 * const answer = new TimbalAnswer(sender, { id: newId, now: Date.now });
 * for await (const event of events) answer.push(event).forEach(broadcast);
 */
export class TimbalAnswer {
  readonly #frames: TimbalSender;
  readonly #options: TimbalAnswerOptions;
  readonly #blocks = new Map<number, Block>();

  constructor(frames: TimbalSender, options: TimbalAnswerOptions) {
    this.#frames = frames;
    this.#options = options;
  }

  push(event: AssistantMessageEvent): JsonObject[] {
    switch (event.type) {
      case "start":
        return [];
      case "done":
        return this.#finish(event.message);
      case "error":
        return this.#finish(event.error);
      case "text_start":
        return [this.#start(event.contentIndex, { type: "agent" })];
      case "thinking_start":
        return [this.#start(event.contentIndex, { type: "thinking" })];
      case "toolcall_start": {
        const known = event.partial?.content[event.contentIndex];
        const call = known?.type === "toolCall" ? known : undefined;
        const toolCallId = event.id ?? call?.id;
        const name = event.name ?? call?.name;
        return [
          this.#start(event.contentIndex, {
            type: "tool_call",
            ...(toolCallId === undefined ? {} : { toolCallId }),
            ...(name === undefined ? {} : { name }),
          }),
        ];
      }
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        return [this.#frames.append(this.#block(event.contentIndex).id, event.delta)];
      case "text_end":
        return [this.#complete(event.contentIndex, { type: "text", text: event.content })];
      case "thinking_end":
        return [this.#complete(event.contentIndex, { type: "thinking", thinking: event.content })];
      case "toolcall_end":
        return [this.#complete(event.contentIndex, event.toolCall)];
      case "block_end":
        return [this.#complete(event.contentIndex, event.block)];
    }
  }

  #start(index: number, meta: JsonObject): JsonObject {
    return this.#frames.start(this.#block(index).id, this.#signed(meta));
  }

  #complete(index: number, content: AssistantContent): JsonObject {
    const block = this.#block(index);
    block.done = true;
    return this.#frames.set(block.id, this.#options.now(), this.#signed(blockValue(content)));
  }

  #finish({ content }: AssistantMessage): JsonObject[] {
    const open = [...content.entries()].filter(([index]) => this.#blocks.get(index)?.done !== true);
    const given = open.map(([index, block]) => this.#complete(index, block));
    // A block that was begun and is not in the answer would stay open for ever.
    const abandoned = [...this.#blocks].filter(([index, { done }]) => !done && index >= content.length);
    return [...given, ...abandoned.map(([, { id }]) => this.#frames.remove(id))];
  }

  #block(index: number): Block {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const block = { id: this.#options.id(), done: false };
    this.#blocks.set(index, block);
    return block;
  }

  #signed(value: JsonObject): JsonObject {
    const { sender } = this.#options;
    return sender === undefined ? value : { ...value, sender };
  }
}
