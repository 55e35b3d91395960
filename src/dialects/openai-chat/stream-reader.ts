import type { Flags, Origin, StreamReader } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { markCutUsage } from "../../core/message/usage.js";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import type { AssistantMessage, LiveAssistantMessageEvent, StopReason } from "../../core/types.js";
import { AnswerNotes } from "./answer-notes.js";
import { readAnswerImage } from "./parts.js";
import { describeFailure, readFinishReason } from "./stop-reason.js";
import { CallReader } from "./stream-calls.js";
import { TextReader } from "./stream-text.js";
import { ThinkTags } from "./think-tags.js";
import { DETAILS } from "./thinking.js";
import { API } from "./wire.js";

/** Reads the chunks of an answer as our events. */
export class ChatReader implements StreamReader {
  readonly #builder: AnswerBuilder;
  readonly #text: TextReader;
  readonly #calls: CallReader;
  readonly #notes: AnswerNotes;
  /** Undefined if tags are text. */
  readonly #tags: ThinkTags | undefined;
  #finishReason: string | undefined;

  constructor(origin: Origin, { thinkTags }: Flags = {}) {
    this.#builder = new AnswerBuilder(answerHeader(origin, API));
    this.#text = new TextReader(this.#builder);
    this.#tags = thinkTags === true ? new ThinkTags(this.#text.tagged) : undefined;
    this.#calls = new CallReader(this.#builder);
    this.#notes = new AnswerNotes(this.#builder.message, origin);
  }

  get ended(): boolean {
    return this.#builder.ended;
  }

  get message(): AssistantMessage {
    return this.#builder.message;
  }

  push(payload: unknown): LiveAssistantMessageEvent[] {
    if (this.ended) return [];
    if (payload === "[DONE]") this.#complete();
    else if (isObject(payload)) this.#readChunk(payload);
    else throw badResponse("expected a chunk");
    return this.#builder.drain();
  }

  /** Some servers omit `[DONE]`, so a finish reason also counts as the end mark. */
  finish(): LiveAssistantMessageEvent[] {
    if (this.ended) return [];
    if (this.#finishReason === undefined)
      this.#end("error", "the stream ended before the answer was finished");
    else this.#complete();
    return this.#builder.drain();
  }

  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[] {
    if (!this.ended) this.#end(reason, message);
    return this.#builder.drain();
  }

  #complete(): void {
    const reason = this.#finishReason ?? "stop";
    this.#end(readFinishReason(reason, this.#calls.count > 0), describeFailure(reason));
  }

  #end(reason: StopReason, failure: string): void {
    this.#tags?.end();
    this.#text.annotateBlocks();
    this.#calls.annotateBlocks();
    this.message.stopReason = reason;
    this.#notes.apply(this.#finishReason);
    if (reason === "error" || reason === "aborted") {
      // Some servers report the usage so far with each chunk.
      if (this.#finishReason === undefined) markCutUsage(this.message);
      this.#builder.fail(failure, reason);
    } else this.#builder.done(reason);
  }

  #readChunk(chunk: JsonObject): void {
    this.#notes.noteResponse(chunk);
    for (const choice of list(chunk["choices"], "choices")) this.#readChoice(choice);
    const failure = failureOf(chunk);
    if (failure !== undefined) this.#end("error", failure);
  }

  #readChoice(choice: JsonObject): void {
    const { index = 0, delta, finish_reason: reason } = choice;
    if (index !== 0) {
      this.#notes.noteOtherChoice(choice);
      return;
    }
    this.#notes.noteChoice(choice);
    if (isObject(delta)) this.#readDelta(delta);
    if (typeof reason === "string" && reason !== "") this.#finishReason = reason;
  }

  #readDelta(delta: JsonObject): void {
    const { content, refusal, images, tool_calls, function_call } = delta;
    this.#text.addThinking(delta, list(delta[DETAILS], DETAILS));
    if (Array.isArray(content)) for (const part of list(content, "content")) this.#text.addPart(part);
    else if (typeof content === "string") this.#addContent(content);
    if (typeof refusal === "string") this.#text.addRefusal(refusal);
    for (const image of list(images, "images")) this.#builder.whole(readAnswerImage(image));
    for (const call of list(tool_calls, "tool_calls")) this.#addCall(call);
    if (isObject(function_call)) this.#addCall({ index: 0, function: function_call });
    this.#notes.noteFields(delta);
  }

  #addContent(delta: string): void {
    if (this.#tags === undefined) this.#text.addText(delta);
    else this.#tags.push(delta);
  }

  #addCall(call: JsonObject): void {
    this.#tags?.end();
    this.#text.close();
    this.#calls.push(call);
  }
}

function list(value: unknown, name: string): JsonObject[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw badResponse(`\`${name}\` is not a list of objects`);
}

/** `{"error":{"message":"…"}}`, `{"error":"…"}`, or `{"object":"error","message":"…"}`. */
export function failureOf({ error, object, message }: JsonObject): string | undefined {
  const reason = isObject(error) ? (error["message"] ?? JSON.stringify(error)) : error;
  if (reason !== undefined && reason !== null) return `the provider failed: ${errorText(reason)}`;
  return object === "error" ? `the provider failed: ${errorText(message)}` : undefined;
}

function errorText(reason: unknown): string {
  return typeof reason === "string" ? reason : (JSON.stringify(reason) ?? "no reason given");
}

export function badResponse(message: string): DragomanError {
  return new DragomanError("provider/bad-response", message, { details: { retryable: true } });
}
