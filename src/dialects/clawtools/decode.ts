import { admit } from "../../core/admit.js";
import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/neutral.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage, UserMessage } from "../../core/types.js";
import { emptyUsage } from "../../core/usage.js";
import { is } from "../../core/validate.js";
import { assistantBlock, resultBlock, userBlock } from "./blocks.js";
import { extWith } from "./notes.js";
import { isString, NAME } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.map((record, index) => ({ message: messageOf(record, `/${index}`), record: index, base: "" }));
}

function messageOf(record: JsonRecord, at: string): AgentMessage {
  switch (record["role"]) {
    case "user":
      return userMessage(new Reading(record, at));
    case "assistant":
      return assistantMessage(new Reading(record, at));
    case "toolResult":
      return toolResultMessage(new Reading(record, at));
    default:
      return strayMessage(record, at);
  }
}

function userMessage(reading: Reading): UserMessage {
  const content = reading.content();
  return {
    role: "user",
    content: isString(content) ? content : content.map(userBlock),
    timestamp: reading.beyond("timestamp", isNumber, 0),
    ...reading.rest(),
  };
}

function assistantMessage(reading: Reading): AssistantMessage {
  const content = reading.blocks().map(assistantBlock);
  return {
    role: "assistant",
    content,
    api: reading.beyond("api", isString, ""),
    provider: reading.beyond("provider", isString, ""),
    model: reading.beyond("model", isString, ""),
    usage: reading.beyond("usage", isUsage, emptyUsage()),
    stopReason: reading.beyond("stopReason", isStopReason, impliedStop(content)),
    timestamp: reading.beyond("timestamp", isNumber, 0),
    ...reading.optional("errorMessage"),
    ...reading.rest(),
  };
}

function toolResultMessage(reading: Reading): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: reading.own("toolCallId", isString, ""),
    toolName: reading.own("toolName", isString, ""),
    content: reading.blocks().map(resultBlock),
    ...reading.details(),
    isError: reading.own("isError", isBoolean, false),
    timestamp: reading.beyond("timestamp", isNumber, 0),
    ...reading.rest(),
  };
}

/** Any other role: the prompt of a `system`, the `tool` of another format, somebody's own. It is kept field by field. */
function strayMessage({ ext, ...record }: JsonRecord, at: string): AgentMessage {
  const isTimed = record["timestamp"] !== undefined;
  const notes = { stray: true, ...(ext === undefined ? {} : { fields: { ext } }) };
  const nearly = { ...record, ...(isTimed ? {} : { timestamp: 0 }) };
  return admit({ ...nearly, ...extWith(notes, isTimed ? [] : ["/timestamp"]) }, NAME, at);
}

/** Takes a record apart field by field and notes what is not as the format has it. */
class Reading {
  readonly #at: string;
  readonly #fields: JsonObject;
  readonly #notes: { content?: "string" | "null"; absent?: string[]; also?: string[] } = {};
  readonly #synthesised: string[] = [];

  constructor({ role: _, ...fields }: JsonRecord, at: string) {
    this.#at = at;
    this.#fields = fields;
  }

  content(): string | unknown[] {
    const content = this.#take("content");
    if (isString(content) || Array.isArray(content)) return content;
    if (content === undefined) return this.#missing("content", []);
    if (content !== null) throw this.#wrong("content", "a string or an array of blocks");
    this.#notes.content = "null";
    return [];
  }

  /** The content where the model has blocks only. */
  blocks(): unknown[] {
    const content = this.content();
    if (!isString(content)) return content;
    this.#notes.content = "string";
    return [{ type: "text", text: content }];
  }

  /** A field that the format requires. */
  own<T>(key: string, fits: (value: unknown) => value is T, neutral: T): T {
    const value = this.#take(key);
    if (value === undefined) return this.#missing(key, neutral);
    if (!fits(value)) throw this.#wrong(key, `a ${typeof neutral}`);
    return value;
  }

  details(): { details?: unknown } {
    const details = this.#take("details");
    return details === undefined ? {} : { details };
  }

  /** A field that the model requires and the format does not have, though it may stand there. */
  beyond<T>(key: string, fits: (value: unknown) => value is T, neutral: T): T {
    const value = this.#fields[key];
    if (fits(value)) return this.#also(key, value);
    this.#synthesised.push(`/${key}`);
    return neutral;
  }

  /** The same for a text that the model does not require. */
  optional<K extends string>(key: K): Record<K, string> | object {
    const value = this.#fields[key];
    return isString(value) ? { [key]: this.#also(key, value) } : {};
  }

  /** Who and which message it is, and the notes. To be called last. */
  rest() {
    const identity = { ...this.optional("id"), ...this.optional("sender") };
    return { ...identity, ...extWith({ ...this.#notes, fields: this.#fields }, this.#synthesised) };
  }

  #take(key: string): unknown {
    const value = this.#fields[key];
    Reflect.deleteProperty(this.#fields, key);
    return value;
  }

  #also<T>(key: string, value: T): T {
    this.#take(key);
    this.#notes.also = [...(this.#notes.also ?? []), key];
    return value;
  }

  #missing<T>(key: string, neutral: T): T {
    this.#notes.absent = [...(this.#notes.absent ?? []), key];
    this.#synthesised.push(`/${key}`);
    return neutral;
  }

  #wrong(key: string, expected: string): DragomanError {
    return new DragomanError("model/invalid", `${key} must be ${expected}`, { at: `${this.#at}/${key}` });
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isUsage(value: unknown): value is AssistantMessage["usage"] {
  return is("Usage", value);
}

function isStopReason(value: unknown): value is AssistantMessage["stopReason"] {
  return is("StopReason", value);
}
