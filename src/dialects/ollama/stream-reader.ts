import type { Origin, StreamReader } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import type { LiveAssistantMessageEvent } from "../../core/types.js";
import { hasNoId, readCall } from "./calls.js";
import { plainLastLine } from "./last-line.js";
import { writeAnswer } from "./messages.js";
import { addNotes, GUARDED } from "./notes.js";
import { isTypeSynthesised, readImage } from "./parts.js";
import { API } from "./wire.js";

/** Reads the lines of a streamed answer as events. Each line has the new pieces; the last one has `done` and the usage. */
export class LineReader implements StreamReader {
  readonly #origin: Origin;
  readonly #builder: AnswerBuilder;
  /** The fields of all lines other than the message: lists are joined; of other fields, the last value counts. */
  readonly #line: JsonObject = {};
  /** The fields of all messages that our model does not have. */
  readonly #unknown: JsonObject = {};
  #open: { type: "text" | "thinking"; index: number } | undefined;
  #lines = 0;
  #calls = 0;

  constructor(origin: Origin) {
    this.#origin = origin;
    this.#builder = new AnswerBuilder(answerHeader(origin, API));
  }

  get ended(): boolean {
    return this.#builder.ended;
  }

  push(payload: unknown): LiveAssistantMessageEvent[] {
    if (this.ended) return [];
    if (!isObject(payload)) throw bad("an object on each line", payload);
    const { message, error, ...line } = payload;
    if (error !== undefined) return this.#fail(error, payload);
    this.#lines++;
    mergeFields(this.#line, line, false);
    if (message !== undefined && !isObject(message)) throw bad("a message", message);
    if (message !== undefined) this.#readMessage(message);
    if (line["done"] === true) this.#end(message ?? {});
    return this.#builder.drain();
  }

  finish(): LiveAssistantMessageEvent[] {
    return this.fail("the stream ended before the line with done: true", "error");
  }

  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[] {
    this.#builder.fail(message, reason);
    return this.#builder.drain();
  }

  #readMessage({ role, content, thinking, images, tool_calls: calls, ...unknown }: JsonObject): void {
    if (role !== "assistant") setOwn(unknown, "role", role);
    mergeFields(this.#unknown, unknown, true);
    this.#addText("thinking", thinking);
    this.#addText("text", content);
    for (const image of listOf(images, "a list of images")) this.#addImage(image);
    for (const call of listOf(calls, "a list of calls")) this.#addCall(call);
  }

  #addText(type: "text" | "thinking", text: unknown): void {
    if (text === undefined || text === null || text === "") return;
    if (typeof text !== "string") throw bad("a text", text);
    if (this.#open?.type !== type) {
      this.#close();
      const index = this.#builder.open(type === "text" ? { type, text: "" } : { type, thinking: "" });
      this.#open = { type, index };
    }
    this.#builder.delta(this.#open.index, text);
  }

  #addImage(image: unknown): void {
    if (typeof image !== "string") throw bad("an image in base64", image);
    this.#close();
    const block = readImage(image);
    if (isTypeSynthesised(block))
      this.#markSynthesised(`/content/${this.#builder.message.content.length}/mimeType`);
    this.#builder.whole(block);
  }

  #addCall(value: unknown): void {
    this.#close();
    const { given, text } = argumentsOf(value);
    const call = readCall(given, (id) => id ?? `call_${this.#origin.timestamp}_${this.#calls}`);
    this.#calls++;
    if (call.type === "opaque") {
      this.#builder.whole(call);
      return;
    }
    const index = this.#builder.open(call);
    if (hasNoId(call)) this.#markSynthesised(`/content/${index}/id`);
    this.#builder.delta(index, text);
    this.#builder.close(index);
  }

  #close(): void {
    if (this.#open !== undefined) this.#builder.close(this.#open.index);
    this.#open = undefined;
  }

  #end(last: JsonObject): void {
    const { message } = this.#builder;
    this.#close();
    this.#attribute();
    const { prompt_eval_count: input, eval_count: output, done_reason: reason } = this.#line;
    if (!isCount(input)) this.#markSynthesised("/usage/input");
    if (!isCount(output)) this.#markSynthesised("/usage/output");
    const tokens = { input: isCount(input) ? input : 0, output: isCount(output) ? output : 0 };
    message.usage = this.#origin.price({ ...tokens, cacheRead: 0, cacheWrite: 0 });
    const calls = message.content.some(({ type }) => type === "toolCall");
    const stopReason = reason === "length" ? "length" : calls ? "toolUse" : "stop";
    message.stopReason = stopReason;
    const written = writeAnswer(message);
    addNotes(message, {
      response: { ...deviations(this.#line, plainLastLine(message), GUARDED) },
      form: deviations(this.#lines === 1 ? last : { ...written, ...this.#unknown }, written, GUARDED),
    });
    this.#builder.done(stopReason);
  }

  /** A line with an error is the last one. */
  #fail(error: unknown, payload: JsonObject): LiveAssistantMessageEvent[] {
    const reason = isObject(error) ? error["message"] : error;
    const text = typeof reason === "string" ? reason : JSON.stringify(error);
    this.#attribute();
    addNotes(this.#builder.message, { response: { ...deviations(payload, { error: text }, GUARDED) } });
    return this.fail(text, "error");
  }

  /** Uses the model and time that the answer states if they are unknown. */
  #attribute(): void {
    const { message } = this.#builder;
    const { model, created_at: time } = this.#line;
    if (message.model === "" && typeof model === "string") message.model = model;
    const timestamp = typeof time === "string" ? Date.parse(time) : Number.NaN;
    if (message.timestamp === 0 && !Number.isNaN(timestamp)) message.timestamp = timestamp;
  }

  #markSynthesised(pointer: string): void {
    const { message } = this.#builder;
    message.ext = { ...message.ext, synthesised: [...(message.ext?.synthesised ?? []), pointer] };
  }
}

/** Compatible servers may send arguments as text. */
function argumentsOf(call: unknown): { given: unknown; text: string } {
  if (!isObject(call) || !isObject(call["function"])) return { given: call, text: "" };
  const { arguments: given } = call["function"];
  if (typeof given !== "string") return { given: call, text: isObject(given) ? JSON.stringify(given) : "" };
  return { given: { ...call, function: { ...call["function"], arguments: {} } }, text: given };
}

/** Adds a line's fields to the earlier ones in O(line). Every line repeats the role. */
function mergeFields(all: JsonObject, more: JsonObject, textGrows: boolean): void {
  for (const [key, value] of Object.entries(more)) {
    const before = Object.hasOwn(all, key) ? all[key] : undefined;
    if (Array.isArray(before) && Array.isArray(value)) for (const item of value) before.push(item);
    else if (textGrows && typeof before === "string" && typeof value === "string" && key !== "role") {
      setOwn(all, key, before + value);
    } else setOwn(all, key, Array.isArray(value) ? [...value] : value);
  }
}

function listOf(value: unknown, expected: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw bad(expected, value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function bad(expected: string, found: unknown): DragomanError {
  const text = JSON.stringify(found)?.slice(0, 80) ?? "nothing";
  return new DragomanError("provider/bad-response", `expected ${expected}, found ${text}`);
}
