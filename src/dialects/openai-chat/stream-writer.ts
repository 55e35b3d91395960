import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import { addressOf } from "../../core/message/media.js";
import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { isRefusal } from "./messages.js";
import { finishReasonOf, headOf, usageOf, writeError } from "./response.js";
import type { Chunk, DeltaFields, FinishReason } from "./wire.js";

type Field = "content" | "refusal" | "reasoning_content";

/** Our events to chunks: a role, deltas, a finish reason, the usage, `[DONE]`. */
export class ChatWriter implements StreamWriter {
  #head: Pick<Chunk, "id" | "created" | "model"> | undefined;
  /** How much of each block was sent, for producers that say a block whole at its end. */
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
        return this.#text(
          event.contentIndex,
          textField(event.partial?.content[event.contentIndex]),
          event.delta,
        );
      case "thinking_delta":
        return this.#text(event.contentIndex, "reasoning_content", event.delta);
      case "text_end": {
        const field = textField(event.partial?.content[event.contentIndex]);
        return this.#rest(event.contentIndex, field, event.content);
      }
      case "thinking_end":
        return this.#rest(event.contentIndex, "reasoning_content", event.content);
      case "toolcall_start":
        return this.#beginCall(event.contentIndex, event.id ?? "", event.name ?? "");
      case "toolcall_delta":
        return this.#arguments(event.contentIndex, event.delta);
      case "toolcall_end":
        return this.#endCall(event.contentIndex, event.toolCall);
      case "block_end":
        return this.#block(event.contentIndex, event.block);
      case "done":
        return this.#done(event.message);
      case "error":
        return finishReasonOf(event.error) === undefined
          ? [{ data: writeError(event.error) }]
          : this.#done(event.error);
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

  #text(index: number, field: Field, delta: string): StreamPayload[] {
    if (delta === "") return [];
    this.#sent.set(index, (this.#sent.get(index) ?? 0) + delta.length);
    return [this.#chunk({ [field]: delta })];
  }

  #rest(index: number, field: Field, content: string): StreamPayload[] {
    return this.#text(index, field, content.slice(this.#sent.get(index) ?? 0));
  }

  #beginCall(index: number, id: string, name: string): StreamPayload[] {
    const number = this.#calls.size;
    this.#calls.set(index, { number, id, name });
    const call = { index: number, id, type: "function" as const, function: { name, arguments: "" } };
    return [this.#chunk({ tool_calls: [call] })];
  }

  #arguments(index: number, delta: string): StreamPayload[] {
    const call = this.#calls.get(index);
    if (call === undefined || delta === "") return [];
    this.#sent.set(index, (this.#sent.get(index) ?? 0) + delta.length);
    return [this.#chunk({ tool_calls: [{ index: call.number, function: { arguments: delta } }] })];
  }

  /** Sends what was not known, or not said, before the call was complete. */
  #endCall(index: number, call: Extract<AssistantContent, { type: "toolCall" }>): StreamPayload[] {
    const begun = this.#calls.has(index) ? [] : this.#beginCall(index, call.id, call.name);
    const said = this.#calls.get(index);
    const late =
      said === undefined || (said.id === call.id && said.name === call.name)
        ? []
        : [this.#chunk({ tool_calls: [{ index: said.number, id: call.id, function: { name: call.name } }] })];
    const hasArguments = (this.#sent.get(index) ?? 0) > 0;
    return [
      ...begun,
      ...late,
      ...(hasArguments ? [] : this.#arguments(index, JSON.stringify(call.arguments))),
    ];
  }

  #block(index: number, block: AssistantContent): StreamPayload[] {
    switch (block.type) {
      case "text":
        return this.#rest(index, textField(block), block.text);
      case "thinking":
        return this.#rest(index, "reasoning_content", block.thinking);
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

  #done(message: AssistantMessage): StreamPayload[] {
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
