import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { writePart } from "./parts.js";
import { ending, piece } from "./response.js";

/**
 * Our events as Google streams an answer: text and thinking in pieces, everything else whole. The signature of a text
 * is known from `partial` only; it is sent as Google does, on an empty part behind the text.
 */
export class GoogleWriter implements StreamWriter {
  #message: AssistantMessage | undefined;

  push(event: AssistantMessageEvent): StreamPayload[] {
    switch (event.type) {
      case "start":
        this.#message = event.partial;
        return [];
      case "text_delta":
        return this.#piece({ text: event.delta });
      case "thinking_delta":
        return this.#piece({ text: event.delta, thought: true });
      case "text_end":
      case "thinking_end":
        return this.#signature(event.partial ?? this.#message, event.contentIndex);
      case "toolcall_end":
        return this.#piece(writePart(event.toolCall, true));
      case "block_end":
        return this.#piece(writePart(event.block, true));
      case "done":
        return [{ data: ending(event.message, [{ text: "" }]) }];
      case "error":
        return [{ data: ending(event.error, []) }];
      case "text_start":
      case "thinking_start":
      case "toolcall_start":
      case "toolcall_delta":
        return [];
    }
  }

  #piece(part: JsonObject | undefined): StreamPayload[] {
    if (part === undefined || this.#message === undefined) return [];
    return [{ data: piece(this.#message, [part]) }];
  }

  /** An empty part with what belongs to a text that is complete. */
  #signature(message: AssistantMessage | undefined, index: number): StreamPayload[] {
    const block = message?.content[index];
    if (block?.type !== "text" && block?.type !== "thinking") return [];
    const empty = block.type === "text" ? { ...block, text: "" } : { ...block, thinking: "" };
    const { text: _, thought: _thought, ...beside } = writePart(empty, true) ?? {};
    return Object.keys(beside).length === 0 ? [] : this.#piece(writePart(empty, true));
  }
}
