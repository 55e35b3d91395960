import { readClaudeStop } from "../../core/api/claude-stop-reason.js";
import type { Origin, StreamReader } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { markCutUsage } from "../../core/message/usage.js";
import { badPayload, unexpected } from "../../core/records/unexpected.js";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { appendNote } from "./notes.js";
import { applyFailure, applyHead } from "./response.js";
import { OpenBlocks } from "./stream-blocks.js";
import { update } from "./usage.js";
import { API, isBlock } from "./wire.js";

/** Reads the events of a streamed answer. */
export class AnthropicReader implements StreamReader {
  readonly #origin: Origin;
  readonly #builder: AnswerBuilder;
  readonly #blocks: OpenBlocks;
  /** The response without its content, as far as it is known; its usage is the one in the first event. */
  #head: JsonObject | undefined;
  readonly #usage: JsonObject = {};
  /** Whether the final usage has arrived: `message_start` counts only the first output tokens. */
  #isBilled = false;

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
    return this.fail("the stream ended before message_stop", "error");
  }

  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[] {
    this.#closeWithError(message, reason);
    return this.#builder.drain();
  }

  #read(payload: unknown): void {
    if (!isBlock(payload)) throw badPayload("events with a type", payload);
    const { type, index } = payload;
    switch (type) {
      case "message_start":
        this.#start(payload["message"]);
        return;
      case "content_block_start":
        this.#blocks.start(index, payload["content_block"]);
        return;
      case "content_block_delta":
        this.#blocks.delta(index, payload["delta"]);
        return;
      case "content_block_stop":
        this.#blocks.stop(index);
        return;
      case "message_delta":
        this.#change(payload);
        return;
      case "message_stop":
        this.#stop();
        return;
      case "error":
        this.#closeWithError(applyFailure(this.message, payload), "error");
        return;
      case "ping":
        return;
      default:
        appendNote(this.message, "events", payload);
    }
  }

  /** Some servers send `message_start` twice; only the usage of the second one counts. */
  #start(message: unknown): void {
    if (!isObject(message)) throw badPayload("a message in its first event", message);
    const { content, ...head } = message;
    if (isObject(head["usage"])) update(this.#usage, head["usage"]);
    if (this.#head === undefined) {
      this.#head = head;
      // With programmatic tool calls, the first event contains the whole answer.
      for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
        this.#blocks.start(index, block, true);
        this.#blocks.stop(index);
      }
    }
    this.#applyHead();
  }

  #change({ type: _, delta, usage, ...rest }: JsonObject): void {
    this.#head ??= {};
    if (isObject(delta)) update(this.#head, delta);
    update(this.#head, rest);
    if (isObject(usage)) {
      update(this.#usage, usage);
      this.#isBilled = true;
    }
    this.#applyHead();
  }

  #stop(): void {
    this.#blocks.stopAll();
    this.#applyHead();
    const reason = readClaudeStop(this.#head?.["stop_reason"]);
    if (reason === "error" || reason === "aborted") this.#builder.fail(refusal(this.#head?.["stop_details"]));
    else this.#builder.done(reason);
  }

  #closeWithError(message: string, reason: "error" | "aborted"): void {
    if (this.ended) return;
    this.#blocks.flush();
    if (!this.#isBilled) markCutUsage(this.message);
    this.#builder.fail(message, reason);
  }

  #applyHead(): void {
    const head = this.#head ?? {};
    const hasUsage = Object.keys(this.#usage).length > 0;
    const wire = hasUsage ? { ...head, usage: { ...this.#usage } } : head;
    applyHead(this.message, wire, this.#origin, readClaudeStop(head["stop_reason"]));
  }
}

function refusal(details: unknown): string {
  const text = isObject(details) ? details["explanation"] : undefined;
  return typeof text === "string" ? text : "the model refused to answer";
}

/** Reads the body of an answer, or of an error. */
export function readResponse(body: unknown, origin: Origin): AssistantMessage {
  if (!isObject(body)) throw unexpected("", "a response", body);
  const reader = new AnthropicReader(origin);
  if (body["type"] === "error") reader.push(body);
  else {
    if (!Array.isArray(body["content"])) throw unexpected("/content", "a list of blocks", body["content"]);
    for (const [index, block] of body["content"].entries()) {
      if (!isBlock(block)) throw unexpected(`/content/${index}`, "a block with a type", block);
    }
    reader.push({ type: "message_start", message: body });
    reader.push({ type: "message_stop" });
  }
  return reader.message;
}
