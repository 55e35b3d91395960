import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isBoolean, isNumber, isString } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import { admit } from "../../core/records/admit.js";
import { FieldReader } from "../../core/records/field-reader.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage, UserMessage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { assistantBlock, resultBlock, userBlock } from "./blocks.js";
import { extWith } from "./notes.js";
import { NAME } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.map((record, index) => ({ message: messageOf(record, `/${index}`), record: index, base: "" }));
}

function messageOf(record: JsonRecord, at: string): AgentMessage {
  switch (record["role"]) {
    case "user":
      return userMessage(new MessageReader(record, at));
    case "assistant":
      return assistantMessage(new MessageReader(record, at));
    case "toolResult":
      return toolResultMessage(new MessageReader(record, at));
    default:
      return strayMessage(record, at);
  }
}

function userMessage(fields: MessageReader): UserMessage {
  const content = fields.content();
  return {
    role: "user",
    content: isString(content) ? content : content.map(userBlock),
    timestamp: fields.beyond("timestamp", isNumber, 0),
    ...fields.close(),
  };
}

function assistantMessage(fields: MessageReader): AssistantMessage {
  const content = fields.blocks().map(assistantBlock);
  return {
    role: "assistant",
    content,
    api: fields.beyond("api", isString, ""),
    provider: fields.beyond("provider", isString, ""),
    model: fields.beyond("model", isString, ""),
    usage: fields.beyond("usage", isUsage, emptyUsage()),
    stopReason: fields.beyond("stopReason", isStopReason, impliedStop(content)),
    timestamp: fields.beyond("timestamp", isNumber, 0),
    ...fields.also("errorMessage", isString),
    ...fields.close(),
  };
}

function toolResultMessage(fields: MessageReader): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: fields.text("toolCallId"),
    toolName: fields.text("toolName"),
    content: fields.blocks().map(resultBlock),
    ...fields.optional("details", isPresent),
    isError: fields.required("isError", isBoolean, "a boolean", false),
    timestamp: fields.beyond("timestamp", isNumber, 0),
    ...fields.close(),
  };
}

/** Any other role, such as `system` or another format's `tool`. It is kept field by field. */
function strayMessage({ ext, ...record }: JsonRecord, at: string): AgentMessage {
  const isTimed = record["timestamp"] !== undefined;
  const notes = { stray: true, fields: ext === undefined ? {} : { ext } };
  const timed = isTimed ? record : { ...record, timestamp: 0 };
  return admit({ ...timed, ...extWith(notes, isTimed ? [] : ["/timestamp"]) }, NAME, at);
}

/** Also notes the content's form and fields beyond the format. */
class MessageReader extends FieldReader {
  readonly #notes: { content?: "string" | "null"; also?: string[] } = {};

  constructor(record: JsonRecord, at: string) {
    super(record, at);
    this.drop("role");
  }

  content(): string | unknown[] {
    if (this.peek("content") !== null) {
      return this.required("content", isContent, "a string or an array of blocks", []);
    }
    this.drop("content");
    this.#notes.content = "null";
    return [];
  }

  /** The content as blocks, for roles whose content in the model is never a string. */
  blocks(): unknown[] {
    const content = this.content();
    if (!isString(content)) return content;
    this.#notes.content = "string";
    return [{ type: "text", text: content }];
  }

  /** An optional field of the model that is not part of the format but may be present. */
  also<N extends string, T>(key: N, fits: (value: unknown) => value is T): { [K in N]?: T } {
    if (fits(this.peek(key))) this.#notes.also = [...(this.#notes.also ?? []), key];
    return this.optional(key, fits);
  }

  /** The same for a field that the model requires. */
  beyond<T>(key: string, fits: (value: unknown) => value is T, neutral: T): T {
    const { [key]: value } = this.also(key, fits);
    if (value === undefined) this.synthesised.push(`/${key}`);
    return value ?? neutral;
  }

  /** The identity and the notes. Must be called last. */
  close() {
    const identity = { ...this.also("id", isString), ...this.also("sender", isString) };
    const { absent, fields } = this.notes();
    return { ...identity, ...extWith({ absent, ...this.#notes, fields }, this.synthesised) };
  }
}

function isContent(value: unknown): value is string | unknown[] {
  return isString(value) || Array.isArray(value);
}

function isPresent(value: unknown): value is NonNullable<unknown> | null {
  return value !== undefined;
}

function isUsage(value: unknown): value is AssistantMessage["usage"] {
  return is("Usage", value);
}

function isStopReason(value: unknown): value is AssistantMessage["stopReason"] {
  return is("StopReason", value);
}
