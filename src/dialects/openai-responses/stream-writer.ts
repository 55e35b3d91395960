import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import { newId } from "../../core/ids.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { readReasoning, readSignature } from "../../core/message/responses-signatures.js";
import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { itemOf, type NameItem } from "./items.js";
import { notesOf } from "./notes.js";
import { hasName, namer, response, responseHead } from "./response.js";

export function streamWriter(): StreamWriter {
  return new ResponsesWriter();
}

type BlockEvent = Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }>;

/** Streams each block as one item; the final response has the items as they were read. */
class ResponsesWriter implements StreamWriter {
  #sequence = 0;
  #items = 0;
  /** The id for an answer that has none. Its timestamp would not be unique. */
  readonly #id = newId();
  #name: NameItem = (prefix, contentIndex) => `${prefix}_${this.#id}_${contentIndex}`;
  /** The ids of streamed items, by `output_index`. */
  readonly #announced: (string | undefined)[] = [];
  readonly #open = new Map<number, { item_id: string; output_index: number }>();

  push(event: AssistantMessageEvent): StreamPayload[] {
    switch (event.type) {
      case "start":
        return this.#start(event.partial);
      case "done":
        return [this.#end(event.message)];
      case "error":
        return [this.#end(event.error)];
      default:
        return this.#writeBlock(event);
    }
  }

  #withId(message: AssistantMessage): AssistantMessage {
    return hasName(message) ? message : { ...message, id: this.#id };
  }

  #start(partial: AssistantMessage): StreamPayload[] {
    const named = this.#withId(partial);
    this.#name = namer(named);
    const begun = { response: { ...responseHead(named, "in_progress"), output: [] } };
    return [this.#payload("response.created", begun), this.#payload("response.in_progress", begun)];
  }

  #end(message: AssistantMessage): StreamPayload {
    // A stream has no event for an aborted answer.
    const ended: AssistantMessage =
      message.stopReason === "aborted"
        ? { ...message, stopReason: "error", errorMessage: message.errorMessage ?? "the answer was aborted" }
        : message;
    const body = response(this.#withId(ended));
    const { status, output } = body;
    // For an incomplete answer, clients compare the ids with those they have seen; a complete one may state other ids.
    const final = status === "completed" ? body : { ...body, output: this.#asAnnounced(output) };
    return this.#payload(`response.${String(status)}`, { response: final });
  }

  #asAnnounced(output: unknown): unknown {
    if (!Array.isArray(output)) return output;
    return output.map((item: unknown, index) => {
      const id = this.#announced[index];
      return isObject(item) && id !== undefined ? { ...item, id } : item;
    });
  }

  #writeBlock(event: BlockEvent): StreamPayload[] {
    const { contentIndex } = event;
    const known = event.partial?.content[contentIndex];
    switch (event.type) {
      case "text_start":
        return this.#startText(contentIndex, known);
      case "text_delta":
        return this.#piece("response.output_text.delta", contentIndex, {
          content_index: 0,
          delta: event.delta,
          logprobs: [],
        });
      case "text_end":
        return this.#endText(contentIndex, asText(known, event.content));
      case "thinking_start":
        return this.#startThinking(contentIndex, known);
      case "thinking_delta":
        return this.#piece("response.reasoning_summary_text.delta", contentIndex, {
          summary_index: 0,
          delta: event.delta,
        });
      case "thinking_end":
        return this.#endThinking(contentIndex, asThinking(known, event.content), event.content);
      case "toolcall_start":
        return this.#startCall(contentIndex, known, event);
      case "toolcall_delta":
        return this.#piece("response.function_call_arguments.delta", contentIndex, { delta: event.delta });
      case "toolcall_end":
        return this.#endCall(contentIndex, event.toolCall);
      case "block_end":
        return itemOf(event.block, contentIndex, { name: this.#name }).flatMap((item) =>
          this.#writeWhole(item),
        );
    }
  }

  #startText(index: number, known: AssistantContent | undefined): StreamPayload[] {
    const id = idOf(known) ?? this.#name("msg", index);
    const item = { type: "message", role: "assistant", id, status: "in_progress", content: [] };
    const part = { type: "output_text", text: "", annotations: [] };
    return [
      this.#announce(index, id, item),
      ...this.#piece("response.content_part.added", index, { content_index: 0, part }),
    ];
  }

  #endText(index: number, block: AssistantContent): StreamPayload[] {
    const [item = {}] = itemOf(block, index, { name: this.#name });
    const part: unknown = Array.isArray(item["content"]) ? item["content"][0] : undefined;
    const text = isObject(part) ? (part["text"] ?? part["refusal"]) : undefined;
    const place = { content_index: 0 };
    return [
      ...this.#piece("response.output_text.done", index, { ...place, text, logprobs: [] }),
      ...this.#piece("response.content_part.done", index, { ...place, part }),
      ...this.#finish(index, item),
    ];
  }

  #startThinking(index: number, known: AssistantContent | undefined): StreamPayload[] {
    const id = idOf(known) ?? this.#name("rs", index);
    const part = { type: "summary_text", text: "" };
    return [
      this.#announce(index, id, { type: "reasoning", id, summary: [] }),
      ...this.#piece("response.reasoning_summary_part.added", index, { summary_index: 0, part }),
    ];
  }

  #endThinking(index: number, block: AssistantContent, text: string): StreamPayload[] {
    const [item = { type: "reasoning", summary: [] }] = itemOf(block, index, { name: this.#name });
    const place = { summary_index: 0 };
    return [
      ...this.#piece("response.reasoning_summary_text.done", index, { ...place, text }),
      ...this.#piece("response.reasoning_summary_part.done", index, {
        ...place,
        part: { type: "summary_text", text },
      }),
      ...this.#finish(index, item),
    ];
  }

  #startCall(
    index: number,
    known: AssistantContent | undefined,
    event: { id?: string; name?: string },
  ): StreamPayload[] {
    const call = known?.type === "toolCall" ? known : undefined;
    const id = idOf(known) ?? this.#name("fc", index);
    const item = {
      type: "function_call",
      id,
      status: "in_progress",
      call_id: event.id ?? call?.id ?? "",
      name: event.name ?? call?.name ?? "",
      arguments: "",
    };
    return [this.#announce(index, id, item)];
  }

  #endCall(index: number, call: Extract<AssistantContent, { type: "toolCall" }>): StreamPayload[] {
    const [item = {}] = itemOf(call, index, { name: this.#name });
    return [
      ...this.#piece("response.function_call_arguments.done", index, {
        name: call.name,
        arguments: item["arguments"],
      }),
      ...this.#finish(index, item),
    ];
  }

  #writeWhole(item: JsonObject): StreamPayload[] {
    const place = { output_index: this.#items++, item };
    return [
      this.#payload("response.output_item.added", place),
      this.#payload("response.output_item.done", place),
    ];
  }

  #announce(index: number, item_id: string, item: JsonObject): StreamPayload {
    const output_index = this.#items++;
    this.#announced[output_index] = item_id;
    this.#open.set(index, { item_id, output_index });
    return this.#payload("response.output_item.added", { output_index, item });
  }

  /** Keeps the announced id, by which clients identify an item. */
  #finish(index: number, item: JsonObject): StreamPayload[] {
    const open = this.#open.get(index);
    if (open === undefined) return [];
    this.#open.delete(index);
    const { output_index, item_id: id } = open;
    return [this.#payload("response.output_item.done", { output_index, item: { ...item, id } })];
  }

  #piece(type: string, index: number, fields: JsonObject): StreamPayload[] {
    const open = this.#open.get(index);
    return open === undefined ? [] : [this.#payload(type, { ...open, ...fields })];
  }

  #payload(type: string, fields: JsonObject): StreamPayload {
    return { event: type, data: { type, sequence_number: this.#sequence++, ...fields } };
  }
}

/** The id of the item from which a block was read. */
function idOf(block: AssistantContent | undefined): string | undefined {
  if (block === undefined) return undefined;
  const id =
    block.type === "text"
      ? readSignature(block.textSignature)?.id
      : ((block.type === "thinking" ? readReasoning(block.thinkingSignature)?.["id"] : undefined) ??
        notesOf(block)["id"]);
  return typeof id === "string" ? id : undefined;
}

function asText(known: AssistantContent | undefined, text: string): AssistantContent {
  return known?.type === "text" ? { ...known, text } : { type: "text", text };
}

function asThinking(known: AssistantContent | undefined, thinking: string): AssistantContent {
  return known?.type === "thinking" ? { ...known, thinking } : { type: "thinking", thinking };
}
