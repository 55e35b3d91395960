import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import { addressOf } from "../../core/message/media.js";
import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { isRefusal } from "./messages.js";
import { finishReasonOf, headOf, usageOf, writeError } from "./response.js";
import type { Chunk, DeltaFields, FinishReason } from "./wire.js";

type Field = "content" | "refusal" | "reasoning_content";

/** Writes our events as chunks: a role, deltas, a finish reason, the usage, `[DONE]`. */
export class ChatWriter implements StreamWriter {
  #head: Pick<Chunk, "id" | "created" | "model"> | undefined;
  /** How many characters of each block were sent: some producers send a block only at its end. */
  readonly #sent = new Map<number, number>();
  readonly #calls = new Map<number, { number: number; id: string; name: string }>();

  push(event: AssistantMessageEvent): StreamPayload[] {
    switch (event.type) {
      case "start":
        this.#head = headOf(event.partial);
        return [this.#chunk({ role: "assistant", content: "" })];
      case "text_start":
      case "thinking_start":
        return [];
      case "text_delta":
        return this.#writeText(
          event.contentIndex,
          textField(event.partial?.content[event.contentIndex]),
          event.delta,
        );
      case "thinking_delta":
        return this.#writeText(event.contentIndex, "reasoning_content", event.delta);
      case "text_end": {
        const field = textField(event.partial?.content[event.contentIndex]);
        return this.#writeRest(event.contentIndex, field, event.content);
      }
      case "thinking_end":
        return this.#writeRest(event.contentIndex, "reasoning_content", event.content);
      case "toolcall_start":
        return this.#beginCall(event.contentIndex, event.id ?? "", event.name ?? "");
      case "toolcall_delta":
        return this.#writeArguments(event.contentIndex, event.delta);
      case "toolcall_end":
        return this.#endCall(event.contentIndex, event.toolCall);
      case "block_end":
        return this.#writeBlock(event.contentIndex, event.block);
      case "done":
        return this.#writeEnd(event.message);
      case "error":
        return finishReasonOf(event.error) === undefined
          ? [{ data: writeError(event.error) }]
          : this.#writeEnd(event.error);
    }
  }

  #chunk(delta: DeltaFields, finishReason: FinishReason | null = null): StreamPayload {
    const choice = { index: 0 as const, delta, logprobs: null, finish_reason: finishReason };
    return { data: this.#envelope([choice]) };
  }

  #envelope(choices: Chunk["choices"]): Chunk {
    const head = this.#head ?? { id: "", created: 0, model: "" };
    return { ...head, object: "chat.completion.chunk", choices };
  }

  #writeText(index: number, field: Field, delta: string): StreamPayload[] {
    if (delta === "") return [];
    this.#sent.set(index, (this.#sent.get(index) ?? 0) + delta.length);
    return [this.#chunk({ [field]: delta })];
  }

  #writeRest(index: number, field: Field, content: string): StreamPayload[] {
    return this.#writeText(index, field, content.slice(this.#sent.get(index) ?? 0));
  }

  #beginCall(index: number, id: string, name: string): StreamPayload[] {
    const number = this.#calls.size;
    this.#calls.set(index, { number, id, name });
    const call = { index: number, id, type: "function" as const, function: { name, arguments: "" } };
    return [this.#chunk({ tool_calls: [call] })];
  }

  #writeArguments(index: number, delta: string): StreamPayload[] {
    const call = this.#calls.get(index);
    if (call === undefined || delta === "") return [];
    this.#sent.set(index, (this.#sent.get(index) ?? 0) + delta.length);
    return [this.#chunk({ tool_calls: [{ index: call.number, function: { arguments: delta } }] })];
  }

  /** Sends the id, name and arguments that were not sent before the call was complete. */
  #endCall(index: number, call: Extract<AssistantContent, { type: "toolCall" }>): StreamPayload[] {
    const begun = this.#calls.has(index) ? [] : this.#beginCall(index, call.id, call.name);
    const sent = this.#calls.get(index);
    const late =
      sent === undefined || (sent.id === call.id && sent.name === call.name)
        ? []
        : [this.#chunk({ tool_calls: [{ index: sent.number, id: call.id, function: { name: call.name } }] })];
    const hasArguments = (this.#sent.get(index) ?? 0) > 0;
    return [
      ...begun,
      ...late,
      ...(hasArguments ? [] : this.#writeArguments(index, JSON.stringify(call.arguments))),
    ];
  }

  #writeBlock(index: number, block: AssistantContent): StreamPayload[] {
    switch (block.type) {
      case "text":
        return this.#writeRest(index, textField(block), block.text);
      case "thinking":
        return this.#writeRest(index, "reasoning_content", block.thinking);
      case "toolCall":
        return this.#endCall(index, block);
      case "image":
        return [this.#chunk({ images: [{ type: "image_url", image_url: { url: addressOf(block) } }] })];
      case "audio":
      case "file":
      case "opaque":
        return [];
    }
  }

  #writeEnd(message: AssistantMessage): StreamPayload[] {
    const usage = usageOf(message);
    return [
      this.#chunk({}, finishReasonOf(message) ?? "stop"),
      ...(usage === undefined ? [] : [{ data: { ...this.#envelope([]), usage } }]),
      { data: "[DONE]" },
    ];
  }
}

function textField(block: AssistantContent | undefined): "content" | "refusal" {
  return block !== undefined && isRefusal(block) ? "refusal" : "content";
}
