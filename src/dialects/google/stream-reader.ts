import type { Origin, StreamReader } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { markCutUsage } from "../../core/message/usage.js";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import type {
  AssistantMessage,
  LiveAssistantMessageEvent,
  TextContent,
  ThinkingContent,
  ToolCall,
} from "../../core/types.js";
import { type AnswerNotes, MergedFields } from "./answer-notes.js";
import { type Chunk, readChunk } from "./chunk.js";
import { extWith, notesOf } from "./notes.js";
import { PartialArguments } from "./partial-arguments.js";
import { opaque, readPart } from "./read-parts.js";
import { isPlain, readEnding } from "./stop-reason.js";
import { furtherUsage, readTokens } from "./usage.js";
import { API, unlessEmpty } from "./wire.js";

/**
 * Reads a streamed answer, or an unstreamed one as a stream of one chunk. The answer ends when the source does: Google has
 * no end mark, and older models send a finish reason with every chunk.
 */
export class GoogleReader implements StreamReader {
  readonly #builder: AnswerBuilder;
  readonly #origin: Origin;
  /** The text or thinking that further parts of its kind continue. */
  #text: { type: "text" | "thinking"; index: number } | undefined;
  /** The call whose arguments are arriving in pieces. */
  #call: { index: number; pieces: PartialArguments } | undefined;
  #calls = 0;
  readonly #madeIds: string[] = [];
  #finishReason: string | undefined;
  #usage: JsonObject | undefined;
  #response: JsonObject = {};
  readonly #candidate = new MergedFields();
  readonly #others: JsonObject[] = [];
  readonly #notes: AnswerNotes = {};

  constructor(origin: Origin) {
    this.#origin = origin;
    this.#builder = new AnswerBuilder(answerHeader(origin, API));
  }

  get ended(): boolean {
    return this.#builder.ended;
  }

  get message(): AssistantMessage {
    return this.#builder.message;
  }

  push(payload: unknown): LiveAssistantMessageEvent[] {
    if (this.ended) return [];
    const chunk = readChunk(payload);
    this.#noteFields(chunk);
    for (const part of chunk.parts) this.#readPart(part);
    const failure = failureIn(chunk);
    return failure === undefined ? this.#builder.drain() : this.fail(failure, "error");
  }

  finish(): LiveAssistantMessageEvent[] {
    if (this.ended) return [];
    if (this.#finishReason === undefined) {
      return this.fail("the stream ended before the answer was complete", "error");
    }
    const ending = readEnding(this.#finishReason, this.#calls > 0, this.#candidate.fields["finishMessage"]);
    if (ending.reason === "error") return this.fail(ending.message, "error");
    this.#writeNotes();
    this.#builder.done(ending.reason);
    return this.#builder.drain();
  }

  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[] {
    if (this.ended) return [];
    this.#writeNotes();
    const isComplete = this.#finishReason !== undefined || this.#notes.promptFeedback !== undefined;
    if (!isComplete) markCutUsage(this.message);
    this.#builder.fail(message, reason);
    return this.#builder.drain();
  }

  #noteFields({ finishReason, candidate, others, usage, promptFeedback, error, rest }: Chunk): void {
    this.#finishReason = finishReason ?? this.#finishReason;
    this.#candidate.add(candidate);
    this.#response = { ...this.#response, ...rest };
    this.#attribute(rest);
    for (const other of others) this.#others.push(other);
    if (promptFeedback !== undefined) this.#notes.promptFeedback = promptFeedback;
    const { message: _, ...errorFields } = error ?? {};
    if (Object.keys(errorFields).length > 0) this.#notes.error = errorFields;
    if (usage === undefined) return;
    this.#usage = { ...this.#usage, ...usage };
    this.message.usage = this.#origin.price(readTokens(this.#usage));
  }

  /** Uses the model and time that the answer states if they are unknown. */
  #attribute({ modelVersion, createTime }: JsonObject): void {
    const { message } = this;
    const time = typeof createTime === "string" ? Date.parse(createTime) : Number.NaN;
    if (message.model === "" && typeof modelVersion === "string") message.model = modelVersion;
    if (message.timestamp === 0 && !Number.isNaN(time)) message.timestamp = time;
  }

  #readPart(part: JsonObject): void {
    const { functionCall } = part;
    if (this.#call !== undefined && isObject(functionCall) && functionCall["name"] === undefined) {
      this.#continueCall(functionCall, part["thoughtSignature"]);
      return;
    }
    const block = readPart(part);
    switch (block.type) {
      case "text":
        this.#addText(block, block.text, block.textSignature !== undefined);
        return;
      case "thinking":
        this.#addText(block, block.thinking, block.thinkingSignature !== undefined);
        return;
      case "toolCall":
        this.#addCall(block);
        return;
      default:
        this.#closeOpen();
        this.#builder.whole(block.type === "result" ? opaque(part) : block);
    }
  }

  /** Consecutive parts of one kind are one block. A signature ends its block, because signed text must not change. */
  #addText(block: TextContent | ThinkingContent, text: string, signed: boolean): void {
    if (text === "" && !signed && block.ext === undefined) return;
    if (this.#text?.type !== block.type) {
      this.#closeOpen();
      const empty: typeof block =
        block.type === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
      this.#text = { type: block.type, index: this.#builder.open(empty) };
    }
    const { index } = this.#text;
    this.#builder.delta(index, text);
    const live = this.message.content[index];
    if (live !== undefined) Object.assign(live, fieldsBeside(block));
    if (signed) this.#closeOpen();
  }

  #addCall(call: ToolCall): void {
    this.#closeOpen();
    const { arguments: args, ext: _, ...named } = call;
    const { noArgs, inner, ...notes } = notesOf(call);
    const { willContinue, partialArgs, ...further } = isObject(inner) ? inner : {};
    const id = notes["noId"] === true ? this.#makeId() : call.id;
    const index = this.#builder.open({
      ...named,
      id,
      arguments: {},
      ...extWith({ ...notes, inner: unlessEmpty(further) }),
    });
    this.#calls++;
    if (notes["noId"] === true) this.#madeIds.push(`/content/${index}/id`);
    if (noArgs !== true) this.#builder.delta(index, JSON.stringify(args));
    if (willContinue !== true && partialArgs === undefined) {
      this.#builder.close(index);
      return;
    }
    this.#call = { index, pieces: new PartialArguments() };
    this.#continueCall(isObject(inner) ? inner : {}, undefined);
  }

  #continueCall({ partialArgs, args, willContinue }: JsonObject, signature: unknown): void {
    if (this.#call === undefined) return;
    const { index, pieces } = this.#call;
    for (const piece of Array.isArray(partialArgs) ? partialArgs : []) {
      this.#builder.delta(index, pieces.push(piece));
    }
    const block = this.message.content[index];
    if (block?.type === "toolCall" && typeof signature === "string") block.thoughtSignature = signature;
    if (willContinue === true) return;
    this.#builder.delta(index, pieces.end());
    this.#builder.close(index, isObject(args) ? JSON.stringify(args) : pieces.instead);
    this.#call = undefined;
  }

  #closeOpen(): void {
    if (this.#text !== undefined) this.#builder.close(this.#text.index);
    if (this.#call !== undefined) this.#builder.close(this.#call.index);
    this.#text = undefined;
    this.#call = undefined;
  }

  /** As unique as the response id, and the same each time the stream is read. */
  #makeId(): string {
    const { responseId } = this.#response;
    const base = typeof responseId === "string" ? responseId : `call_${this.#origin.timestamp}`;
    return `${base}_${this.#calls + 1}`;
  }

  /** Stores Google's metadata about the answer. */
  #writeNotes(): void {
    const { message } = this;
    const { modelVersion, ...response } = this.#response;
    const renamed = modelVersion === undefined || modelVersion === message.model ? {} : { modelVersion };
    const about = {
      response: unlessEmpty({ ...response, ...renamed }),
      candidate: unlessEmpty(this.#candidate.fields),
      usage: this.#usage === undefined ? undefined : unlessEmpty(furtherUsage(this.#usage)),
      finishReason:
        this.#finishReason === undefined || isPlain(this.#finishReason) ? undefined : this.#finishReason,
      others: this.#others.length === 0 ? undefined : this.#others,
      ...this.#notes,
    };
    const synthesised = [...this.#madeIds, ...(this.#usage === undefined ? ["/usage"] : [])];
    Object.assign(message, extWith(about, synthesised, message.ext));
  }
}

/** The signature and the notes of a text, without the text. */
function fieldsBeside(block: TextContent | ThinkingContent): object {
  if (block.type === "text") {
    const { text: _, ...fields } = block;
    return fields;
  }
  const { thinking: _, ...fields } = block;
  return fields;
}

/** Why a payload ends the answer, if it does. */
function failureIn({ error, promptFeedback }: Chunk): string | undefined {
  if (error !== undefined) {
    return typeof error["message"] === "string" ? error["message"] : "Google sent an error without a message";
  }
  const { blockReason, blockReasonMessage: why } = promptFeedback ?? {};
  if (typeof blockReason !== "string") return undefined;
  return `Google blocked the prompt with ${blockReason}${typeof why === "string" && why !== "" ? `: ${why}` : ""}`;
}
