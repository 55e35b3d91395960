import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { isBroken } from "../../core/message/failure.js";
import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { writeCalls } from "./calls.js";
import { lineHeader, writeLastLine } from "./last-line.js";
import { separatorOf } from "./messages.js";
import { writeImages } from "./parts.js";
import type { WireMessage } from "./wire.js";

type Field = "content" | "thinking";

/** Writes events as the lines of a streamed answer. Calls and images are sent when they are complete. */
export class LineWriter implements StreamWriter {
  #header = { model: "", created_at: "" };
  #separator = "";
  /** The last block from which each field was written. */
  readonly #from: Partial<Record<Field, number>> = {};

  push(event: AssistantMessageEvent): StreamPayload[] {
    switch (event.type) {
      case "start":
        this.#header = lineHeader(event.partial);
        this.#separator = separatorOf(event.partial.api);
        return [];
      case "text_delta":
        return this.#writePiece("content", event.contentIndex, event.delta);
      case "thinking_delta":
        return this.#writePiece("thinking", event.contentIndex, event.delta);
      case "text_end":
        return this.#writeRest("content", event.contentIndex, event.content);
      case "thinking_end":
        return this.#writeRest("thinking", event.contentIndex, event.content);
      case "toolcall_end":
        return this.#writeWhole(event.toolCall);
      case "block_end":
        return this.#writeWhole(event.block);
      case "text_start":
      case "thinking_start":
      case "toolcall_start":
      case "toolcall_delta":
        return [];
      case "done":
        return [this.#writeLast(event.message)];
      case "error":
        return [this.#writeLast(event.error)];
    }
  }

  #writePiece(field: Field, index: number, text: string): StreamPayload[] {
    if (text === "") return [];
    const from = this.#from[field];
    const gap = from === undefined || from === index ? "" : this.#separator;
    this.#from[field] = index;
    return [this.#line({ content: "", [field]: gap + text })];
  }

  /** Writes a block that had no deltas. */
  #writeRest(field: Field, index: number, text: string): StreamPayload[] {
    return this.#from[field] === index ? [] : this.#writePiece(field, index, text);
  }

  #writeWhole(block: AssistantContent): StreamPayload[] {
    const fields = { ...writeImages([block]), ...writeCalls([block]) };
    return Object.keys(fields).length === 0 ? [] : [this.#line({ content: "", ...fields })];
  }

  #line(message: Omit<WireMessage, "role">): StreamPayload {
    return { data: { ...this.#header, message: { role: "assistant", ...message }, done: false } };
  }

  #writeLast(message: AssistantMessage): StreamPayload {
    const last: JsonObject = writeLastLine(message);
    return { data: isBroken(message) ? last : { ...last, message: { role: "assistant", content: "" } } };
  }
}
