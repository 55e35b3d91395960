import type { JsonObject } from "../../core/json/value.js";
import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { blockValue } from "./encode-values.js";
import type { TimbalSender } from "./sender.js";
import { blockId } from "./wire.js";

export interface TimbalAnswerOptions {
  /** The message's id, which the first block gets; the ids of later blocks are derived from it. */
  id: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The agent that answers, if there are several. */
  sender?: string;
}

interface Block {
  i: string;
  v: { type: unknown };
  done: boolean;
}

/**
 * Turns the events of one answer into frames: each block is its own Timbal message, started, appended to and completed as
 * events arrive. When the answer ends, complete or not, every open block is completed with its content so far.
 *
 * @example
 * const answer = new TimbalAnswer(sender, { id: newId(), now: Date.now });
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
        const block = event.partial?.content[event.contentIndex];
        const call = block?.type === "toolCall" ? block : undefined;
        const toolCallId = event.id ?? call?.id;
        const name = event.name ?? call?.name;
        const known = {
          ...(toolCallId === undefined ? {} : { toolCallId }),
          ...(name === undefined ? {} : { name }),
        };
        return [this.#start(event.contentIndex, { type: "tool_call", ...known })];
      }
      case "text_delta":
        return this.#append(event.contentIndex, { type: "agent" }, event.delta);
      case "thinking_delta":
        return this.#append(event.contentIndex, { type: "thinking" }, event.delta);
      case "toolcall_delta":
        return this.#append(event.contentIndex, { type: "tool_call" }, event.delta);
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
    return this.#frames.start(this.#block(index, meta).i, this.#signed(meta));
  }

  /** Some producers send deltas without a start. */
  #append(index: number, meta: JsonObject, text: string): JsonObject[] {
    const start = this.#blocks.has(index) ? [] : [this.#start(index, meta)];
    return [...start, this.#frames.append(this.#block(index, meta).i, text)];
  }

  #complete(index: number, content: AssistantContent): JsonObject {
    const value = blockValue(content);
    const block = this.#block(index, value);
    block.done = true;
    return this.#frames.set(block.i, this.#options.now(), this.#signed(value));
  }

  #finish({ content }: AssistantMessage): JsonObject[] {
    const open = [...content.entries()].filter(([index]) => this.#blocks.get(index)?.done !== true);
    const completed = open.map(([index, block]) => this.#complete(index, block));
    // A block that was started but is not in the answer would stay open forever.
    const abandoned = [...this.#blocks].filter(([index, { done }]) => !done && index >= content.length);
    return [...completed, ...abandoned.map(([, { i }]) => this.#frames.remove(i))];
  }

  #block(index: number, { type }: JsonObject): Block {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const before = this.#blocks.get(index - 1);
    const v = { type };
    const block = { i: before === undefined ? this.#options.id : blockId(before, { v }), v, done: false };
    this.#blocks.set(index, block);
    return block;
  }

  #signed(value: JsonObject): JsonObject {
    const { sender } = this.#options;
    return sender === undefined ? value : { ...value, sender };
  }
}
