import type { Origin, StreamReader } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { badPayload, unexpected } from "../../core/records/unexpected.js";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { appendNote } from "./notes.js";
import { readAnswerBlock } from "./parts.js";
import { applyFailure, applyFrame } from "./response.js";
import { failureOf, readStopReason } from "./stop-reason.js";
import { OpenBlocks } from "./stream-blocks.js";
import { API, memberOf, objectIn } from "./wire.js";

/**
 * Reads the events of a streamed answer, each an object with one member. The usage is in `metadata`, after `messageStop`;
 * the answer ends with it or with the stream.
 */
export class BedrockReader implements StreamReader {
  readonly #origin: Origin;
  readonly #builder: AnswerBuilder;
  readonly #blocks: OpenBlocks;
  /** The response so far, without its content. */
  #frame: JsonObject = { output: { message: { role: "assistant", content: [] } } };
  #isStopped = false;

  constructor(origin: Origin) {
    this.#origin = origin;
    this.#builder = new AnswerBuilder(answerHeader(origin, API));
    this.#blocks = new OpenBlocks(this.#builder);
  }

  get ended(): boolean {
    return this.#builder.ended;
  }

  /** The message so far. */
  get message(): AssistantMessage {
    return this.#builder.message;
  }

  push(payload: unknown): LiveAssistantMessageEvent[] {
    if (!this.ended) this.#read(payload);
    return this.#builder.drain();
  }

  finish(): LiveAssistantMessageEvent[] {
    if (!this.#isStopped) return this.fail("the stream ended before messageStop", "error");
    this.#end();
    return this.#builder.drain();
  }

  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[] {
    this.#closeWithError(message, reason);
    return this.#builder.drain();
  }

  /** Reads an unstreamed response whose content was checked. */
  readBody({ output, ...rest }: JsonObject, content: readonly JsonObject[]): void {
    for (const block of content) this.#builder.whole(readAnswerBlock(block));
    const message = { ...objectIn(output, "message"), content: [] };
    this.#frame = { output: { ...(isObject(output) ? output : {}), message }, ...rest };
    this.#end();
  }

  readFailure(name: string, value: unknown): void {
    this.#closeWithError(applyFailure(this.message, name, value), "error");
  }

  #closeWithError(message: string, reason: "error" | "aborted"): void {
    if (this.ended) return;
    this.#blocks.flush();
    this.#builder.fail(message, reason);
  }

  #read(payload: unknown): void {
    const { kind, value } = (isObject(payload) ? memberOf(payload) : undefined) ?? {};
    if (kind === undefined || !isObject(value)) throw badPayload("events with one member", payload);
    // `p` is padding that hides the length of an event.
    const { p: _, ...event } = value;
    switch (kind) {
      case "messageStart":
        this.#frame = { ...this.#frame, output: { message: { ...event, content: [] } } };
        return;
      case "contentBlockStart":
        this.#blocks.start(event);
        return;
      case "contentBlockDelta":
        this.#blocks.delta(event);
        return;
      case "contentBlockStop":
        this.#blocks.stop(event["contentBlockIndex"]);
        return;
      case "messageStop":
        this.#blocks.stopAll();
        this.#isStopped = true;
        this.#addFields(event);
        return;
      case "metadata":
        this.#addFields(event);
        return;
      default:
        if (kind === "error" || kind.endsWith("Exception")) this.readFailure(kind, event);
        else appendNote(this.message, "events", payload);
    }
  }

  #addFields(fields: JsonObject): void {
    this.#frame = { ...this.#frame, ...fields };
    if (this.#isStopped && isObject(this.#frame["usage"])) this.#end();
  }

  #end(): void {
    const { stopReason } = this.#frame;
    const reason = readStopReason(stopReason);
    applyFrame(this.message, this.#frame, this.#origin, reason);
    if (reason === "error" || reason === "aborted") this.#builder.fail(failureOf(stopReason));
    else this.#builder.done(reason);
  }
}

/** Reads the body of an answer, or of an error. */
export function readResponse(body: unknown, origin: Origin): AssistantMessage {
  if (!isObject(body)) throw unexpected("", "a response", body);
  const reader = new BedrockReader(origin);
  if (body["output"] === undefined && typeof body["message"] === "string") {
    reader.readFailure("internalServerException", body);
    return reader.message;
  }
  const content = objectIn(body["output"], "message")?.["content"];
  if (!Array.isArray(content)) throw unexpected("/output/message/content", "a list of blocks", content);
  for (const [index, block] of content.entries()) {
    if (!isObject(block)) throw unexpected(`/output/message/content/${index}`, "a block", block);
  }
  reader.readBody(body, content.filter(isObject));
  return reader.message;
}
