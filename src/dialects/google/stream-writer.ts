import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { writePart } from "./parts.js";
import { writeLastPayload, writePiece } from "./response.js";

/**
 * Writes our events as Google streams an answer: text and thinking in pieces, everything else complete. A text's signature
 * is only in `partial`; like Google, we send it on an empty part after the text.
 */
export class GoogleWriter implements StreamWriter {
  #message: AssistantMessage | undefined;

  push(event: AssistantMessageEvent): StreamPayload[] {
    switch (event.type) {
      case "start":
        this.#message = event.partial;
        return [];
      case "text_delta":
        return this.#writePiece({ text: event.delta });
      case "thinking_delta":
        return this.#writePiece({ text: event.delta, thought: true });
      case "text_end":
      case "thinking_end":
        return this.#writeSignature(event.partial ?? this.#message, event.contentIndex);
      case "toolcall_end":
        return this.#writePiece(writePart(event.toolCall, true));
      case "block_end":
        return this.#writePiece(writePart(event.block, true));
      case "done":
        return [{ data: writeLastPayload(event.message, [{ text: "" }]) }];
      case "error":
        return [{ data: writeLastPayload(event.error, []) }];
      case "text_start":
      case "thinking_start":
      case "toolcall_start":
      case "toolcall_delta":
        return [];
    }
  }

  #writePiece(part: JsonObject | undefined): StreamPayload[] {
    if (part === undefined || this.#message === undefined) return [];
    return [{ data: writePiece(this.#message, [part]) }];
  }

  /** An empty part with the signature and the notes of a complete text. */
  #writeSignature(message: AssistantMessage | undefined, index: number): StreamPayload[] {
    const block = message?.content[index];
    if (block?.type !== "text" && block?.type !== "thinking") return [];
    const empty = block.type === "text" ? { ...block, text: "" } : { ...block, thinking: "" };
    const { text: _, thought: _thought, ...beside } = writePart(empty, true) ?? {};
    return Object.keys(beside).length === 0 ? [] : this.#writePiece(writePart(empty, true));
  }
}
