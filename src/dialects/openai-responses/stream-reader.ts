import type { Origin, StreamReader } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import type { LiveAssistantMessageEvent } from "../../core/types.js";
import { addNotes } from "./notes.js";
import { kindOf } from "./read-items.js";
import { endingOf, messageOf } from "./stop-reason.js";
import { CallItem, type LiveItem, MessageItem, OpaqueItem, ReasoningItem } from "./stream-items.js";
import { otherUsage, readTokens } from "./usage.js";
import { API } from "./wire.js";

export function streamReader(origin: Origin): StreamReader {
  return new ResponsesReader(origin);
}

/**
 * Items are identified only by `output_index`, because some servers change an item's id in every payload. Blocks have the
 * order of the items, so payloads after an item of an unknown kind are queued until that item is complete.
 */
class ResponsesReader implements StreamReader {
  readonly #origin: Origin;
  readonly #builder: AnswerBuilder;
  readonly #items = new Map<number, LiveItem>();
  readonly #unfinished = new Set<number>();
  readonly #awaited = new Set<number>();
  #queued: JsonObject[] = [];

  constructor(origin: Origin) {
    this.#origin = origin;
    this.#builder = new AnswerBuilder(answerHeader(origin, API));
  }

  get ended(): boolean {
    return this.#builder.ended;
  }

  push(payload: unknown): LiveAssistantMessageEvent[] {
    if (!this.ended && payload !== "[DONE]") this.#accept(payload);
    return this.#builder.drain();
  }

  finish(): LiveAssistantMessageEvent[] {
    return this.fail("the stream ended before the response was complete", "error");
  }

  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[] {
    this.#closeWithError(message, reason);
    return this.#builder.drain();
  }

  #accept(payload: unknown): void {
    if (!isObject(payload)) {
      throw new DragomanError("provider/bad-response", "the stream contains a payload that is not an object");
    }
    const { type, response, error, output_index } = payload;
    switch (type) {
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.#applyHead(response);
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        this.#end({ status: type.slice("response.".length), ...(isObject(response) ? response : {}) });
        break;
      default:
        if (type === "error" || isObject(error)) this.#applyError(isObject(error) ? error : payload);
        else if (typeof output_index === "number") this.#route(output_index, payload);
    }
  }

  #route(index: number, payload: JsonObject): void {
    for (const awaited of this.#awaited) {
      if (awaited < index) {
        this.#queued.push(payload);
        return;
      }
    }
    const { type, item } = payload;
    if (type === "response.output_item.added") {
      if (!this.#items.has(index)) this.#open(index, item);
    } else if (type === "response.output_item.done") this.#close(index, item);
    else (this.#items.get(index) ?? this.#openFor(index, type))?.accept(payload);
  }

  #open(index: number, value: unknown): LiveItem {
    const item = isObject(value) ? value : {};
    const live = this.#createItem(item, index);
    this.#items.set(index, live);
    this.#unfinished.add(index);
    return live;
  }

  #createItem(item: JsonObject, index: number): LiveItem {
    switch (kindOf(item)) {
      case "message":
        return new MessageItem(this.#builder, item);
      case "reasoning":
        return new ReasoningItem(this.#builder, item);
      case "function_call":
        return new CallItem(this.#builder, item);
      default:
        this.#awaited.add(index);
        return new OpaqueItem(this.#builder, item);
    }
  }

  /** Some servers do not announce items; the type of a delta then shows what it belongs to. */
  #openFor(index: number, type: unknown): LiveItem | undefined {
    if (typeof type !== "string") return undefined;
    const [, kind] = /^response\.(output_text|refusal|reasoning|function_call_arguments)/.exec(type) ?? [];
    if (kind === undefined) return undefined;
    if (kind === "reasoning") return this.#open(index, { type: "reasoning" });
    return this.#open(index, { type: kind === "function_call_arguments" ? "function_call" : "message" });
  }

  #close(index: number, value: unknown): void {
    const live = this.#items.get(index) ?? this.#open(index, value);
    if (!this.#unfinished.delete(index)) return;
    live.finish(isObject(value) ? value : undefined);
    if (this.#awaited.delete(index)) this.#resume();
  }

  #resume(): void {
    const queued = this.#queued;
    this.#queued = [];
    for (const payload of queued) {
      if (typeof payload["output_index"] === "number") this.#route(payload["output_index"], payload);
    }
  }

  /** Applies the response's id, model and time. */
  #applyHead(response: unknown): void {
    if (!isObject(response)) return;
    const { id, model, created_at } = response;
    const { message } = this.#builder;
    if (message.model === "" && typeof model === "string") message.model = model;
    if (message.timestamp === 0 && typeof created_at === "number") message.timestamp = created_at * 1000;
    addNotes(message, {
      ...(typeof id === "string" ? { id } : {}),
      ...(typeof model === "string" && model !== message.model ? { model } : {}),
    });
  }

  #end(response: JsonObject): void {
    this.#applyHead(response);
    if (this.#items.size === 0) this.#readItems(response["output"]);
    for (const index of this.#unfinished) this.#close(index, undefined);
    this.#applyUsage(response["usage"]);
    const { message } = this.#builder;
    const hasCalls = message.content.some(({ type }) => type === "toolCall");
    const ending = endingOf(response, hasCalls);
    addNotes(this.#builder.message, endNotes(response));
    if ("reason" in ending) this.#builder.done(ending.reason);
    else this.#builder.fail(ending.error);
  }

  /** Reads the items of a response that did not stream them. */
  #readItems(output: unknown): void {
    if (!Array.isArray(output)) return;
    for (const [index, item] of output.entries()) this.#close(index, item);
  }

  #applyUsage(usage: unknown): void {
    const { message } = this.#builder;
    if (!isObject(usage)) {
      message.ext = { ...message.ext, synthesised: [...(message.ext?.synthesised ?? []), "/usage"] };
      return;
    }
    message.usage = this.#origin.price(readTokens(usage));
    addNotes(this.#builder.message, { usage: otherUsage(usage) });
  }

  #applyError(error: JsonObject): void {
    const { code, param } = error;
    addNotes(this.#builder.message, {
      error: { ...(code == null ? {} : { code }), ...(param == null ? {} : { param }) },
    });
    this.#closeWithError(messageOf(error), "error");
  }

  #closeWithError(message: string, reason: "error" | "aborted"): void {
    for (const index of this.#awaited) this.#close(index, undefined);
    this.#builder.fail(message, reason);
  }
}

/** Details of the end that the stop reason does not contain. */
function endNotes({ status, error, incomplete_details }: JsonObject): JsonObject {
  const known =
    status === undefined || status === "completed" || status === "incomplete" || status === "failed";
  return {
    ...(known ? {} : { status }),
    ...(isObject(error) ? { error } : {}),
    ...(isObject(incomplete_details) ? { incomplete_details } : {}),
  };
}
