import type { StreamPayload, StreamWriter } from "../../core/api/provider.js";
import { newId } from "../../core/ids.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantContent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { itemOf, type NameItem } from "./items.js";
import { notesOf } from "./notes.js";
import { hasName, namer, response, responseHead } from "./response.js";
import { readReasoning, readSignature } from "./signatures.js";

export function streamWriter(): StreamWriter {
  return new ResponsesWriter();
}

type BlockEvent = Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }>;

/** Each block is an item of its own; the response at the end has the items as they are. */
class ResponsesWriter implements StreamWriter {
  #sequence = 0;
  #items = 0;
  /** What an answer is named after that has no id: two of one millisecond would have the same name. */
  readonly #id = newId();
  #name: NameItem = (prefix, contentIndex) => `${prefix}_${this.#id}_${contentIndex}`;
  /** The ids of the items that streamed, by their position. */
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
        return this.#block(event);
    }
  }

  #named(message: AssistantMessage): AssistantMessage {
    return hasName(message) ? message : { ...message, id: this.#id };
  }

  #start(partial: AssistantMessage): StreamPayload[] {
    const named = this.#named(partial);
    this.#name = namer(named);
    const begun = { response: { ...responseHead(named, "in_progress"), output: [] } };
    return [this.#payload("response.created", begun), this.#payload("response.in_progress", begun)];
  }

  #end(message: AssistantMessage): StreamPayload {
    // A stream has no word for an answer that was called off.
    const ended: AssistantMessage =
      message.stopReason === "aborted"
        ? { ...message, stopReason: "error", errorMessage: message.errorMessage ?? "the answer was aborted" }
        : message;
    const body = response(this.#named(ended));
    const { status, output } = body;
    // Clients hold an answer that broke off to the ids that they have seen; one that is whole says what the ids are.
    const seen = status === "completed" ? body : { ...body, output: this.#asAnnounced(output) };
    return this.#payload(`response.${String(status)}`, { response: seen });
  }

  #asAnnounced(output: unknown): unknown {
    if (!Array.isArray(output)) return output;
    return output.map((item: unknown, index) => {
      const id = this.#announced[index];
      return isObject(item) && id !== undefined ? { ...item, id } : item;
    });
  }

  #block(event: BlockEvent): StreamPayload[] {
    const { contentIndex } = event;
    const known = event.partial?.content[contentIndex];
    switch (event.type) {
      case "text_start":
        return this.#textStart(contentIndex, known);
      case "text_delta":
        return this.#piece("response.output_text.delta", contentIndex, {
          content_index: 0,
          delta: event.delta,
          logprobs: [],
        });
      case "text_end":
        return this.#textEnd(contentIndex, asText(known, event.content));
      case "thinking_start":
        return this.#thinkingStart(contentIndex, known);
      case "thinking_delta":
        return this.#piece("response.reasoning_summary_text.delta", contentIndex, {
          summary_index: 0,
          delta: event.delta,
        });
      case "thinking_end":
        return this.#thinkingEnd(contentIndex, asThinking(known, event.content), event.content);
      case "toolcall_start":
        return this.#callStart(contentIndex, known, event);
      case "toolcall_delta":
        return this.#piece("response.function_call_arguments.delta", contentIndex, { delta: event.delta });
      case "toolcall_end":
        return this.#callEnd(contentIndex, event.toolCall);
      case "block_end":
        return itemOf(event.block, contentIndex, { name: this.#name }).flatMap((item) => this.#whole(item));
    }
  }

  #textStart(index: number, known: AssistantContent | undefined): StreamPayload[] {
    const id = idOf(known) ?? this.#name("msg", index);
    const item = { type: "message", role: "assistant", id, status: "in_progress", content: [] };
    const part = { type: "output_text", text: "", annotations: [] };
    return [
      this.#added(index, id, item),
      ...this.#piece("response.content_part.added", index, { content_index: 0, part }),
    ];
  }

  #textEnd(index: number, block: AssistantContent): StreamPayload[] {
    const [item = {}] = itemOf(block, index, { name: this.#name });
    const part: unknown = Array.isArray(item["content"]) ? item["content"][0] : undefined;
    const text = isObject(part) ? (part["text"] ?? part["refusal"]) : undefined;
    const place = { content_index: 0 };
    return [
      ...this.#piece("response.output_text.done", index, { ...place, text, logprobs: [] }),
      ...this.#piece("response.content_part.done", index, { ...place, part }),
      ...this.#done(index, item),
    ];
  }

  #thinkingStart(index: number, known: AssistantContent | undefined): StreamPayload[] {
    const id = idOf(known) ?? this.#name("rs", index);
    const part = { type: "summary_text", text: "" };
    return [
      this.#added(index, id, { type: "reasoning", id, summary: [] }),
      ...this.#piece("response.reasoning_summary_part.added", index, { summary_index: 0, part }),
    ];
  }

  #thinkingEnd(index: number, block: AssistantContent, text: string): StreamPayload[] {
    const [item = { type: "reasoning", summary: [] }] = itemOf(block, index, { name: this.#name });
    const place = { summary_index: 0 };
    return [
      ...this.#piece("response.reasoning_summary_text.done", index, { ...place, text }),
      ...this.#piece("response.reasoning_summary_part.done", index, {
        ...place,
        part: { type: "summary_text", text },
      }),
      ...this.#done(index, item),
    ];
  }

  #callStart(
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
    return [this.#added(index, id, item)];
  }

  #callEnd(index: number, call: Extract<AssistantContent, { type: "toolCall" }>): StreamPayload[] {
    const [item = {}] = itemOf(call, index, { name: this.#name });
    return [
      ...this.#piece("response.function_call_arguments.done", index, {
        name: call.name,
        arguments: item["arguments"],
      }),
      ...this.#done(index, item),
    ];
  }

  #whole(item: JsonObject): StreamPayload[] {
    const place = { output_index: this.#items++, item };
    return [
      this.#payload("response.output_item.added", place),
      this.#payload("response.output_item.done", place),
    ];
  }

  #added(index: number, item_id: string, item: JsonObject): StreamPayload {
    const output_index = this.#items++;
    this.#announced[output_index] = item_id;
    this.#open.set(index, { item_id, output_index });
    return this.#payload("response.output_item.added", { output_index, item });
  }

  /** With the id that it was announced with: clients know an item by it. */
  #done(index: number, item: JsonObject): StreamPayload[] {
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

/** The id that the item of a block had where it came from. */
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
