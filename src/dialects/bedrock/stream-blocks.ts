import { parseArguments } from "../../core/json/arguments.js";
import { isEmpty, isObject, type JsonObject } from "../../core/json/value.js";
import { badPayload } from "../../core/records/unexpected.js";
import type { AnswerBuilder } from "../../core/stream/builder.js";
import { appendNote, extWith } from "./notes.js";
import { memberOf, NAME } from "./wire.js";

/** A block between its first event and its stop. */
interface Open {
  /** The index of our block as which it is streamed. */
  at?: number;
  /** The bytes of redacted thinking so far. */
  redacted?: string;
  /** An unknown block, emitted when it is complete; `json` is its input so far. */
  foreign?: { kind: string; value: JsonObject; json: string };
}

/** The blocks of a streamed answer, by their index in the stream. Only calls have a start event. */
export class OpenBlocks {
  readonly #builder: AnswerBuilder;
  readonly #open = new Map<unknown, Open>();

  constructor(builder: AnswerBuilder) {
    this.#builder = builder;
  }

  start({ contentBlockIndex: index, start }: JsonObject): void {
    const { kind, value } = (isObject(start) ? memberOf(start) : undefined) ?? {};
    if (kind === undefined || !isObject(value)) throw badPayload("the start of a block", start);
    if (this.#open.has(index)) throw badPayload("the end of the open block first", start);
    const { toolUseId: id, name, ...fields } = value;
    // The service runs calls that have a type. The input comes later.
    const isCall = kind === "toolUse" && !("type" in fields) && !("input" in fields);
    if (isCall && typeof id === "string" && typeof name === "string") {
      const notes = isEmpty(fields) ? {} : { inside: { toolUse: { fields } } };
      const at = this.#builder.open({ type: "toolCall", id, name, arguments: {}, ...extWith(notes) });
      this.#open.set(index, { at });
    } else this.#open.set(index, { foreign: { kind, value: { ...value }, json: "" } });
  }

  delta({ contentBlockIndex: index, delta }: JsonObject): void {
    const { kind, value } = (isObject(delta) ? memberOf(delta) : undefined) ?? {};
    if (kind === undefined || !isObject(delta)) throw badPayload("a delta of a block", delta);
    const known = this.#open.get(index);
    const open = known ?? {};
    if (known === undefined) this.#open.set(index, open);
    if (open.foreign !== undefined) addDelta(open.foreign, kind, value);
    else if (kind === "text" && typeof value === "string") this.#addText(open, value);
    else if (kind === "reasoningContent" && isObject(value)) this.#addReasoning(open, value);
    else if (kind === "toolUse" && open.at !== undefined) this.#addArguments(open.at, value);
    else if (kind === "citation") this.#addNote(open, "citations", value);
    else this.#addNote(open, "deltas", delta);
  }

  stop(index: unknown): void {
    const open = this.#open.get(index);
    this.#open.delete(index);
    if (open?.at !== undefined) this.#builder.close(open.at);
    if (open?.redacted !== undefined) {
      const thinkingSignature = btoa(open.redacted);
      this.#builder.whole({ type: "thinking", thinking: "", redacted: true, thinkingSignature });
    }
    if (open?.foreign !== undefined) {
      this.#builder.whole({ type: "opaque", dialect: NAME, value: complete(open.foreign) });
    }
  }

  stopAll(): void {
    for (const index of [...this.#open.keys()]) this.stop(index);
  }

  /** Emits the open blocks that are not streamed: unknown blocks and redacted thinking. */
  flush(): void {
    for (const [index, open] of [...this.#open]) if (open.at === undefined) this.stop(index);
  }

  #addText(open: Open, text: string): void {
    open.at ??= this.#builder.open({ type: "text", text: "" });
    this.#builder.delta(open.at, text);
  }

  #addReasoning(open: Open, { text, signature, redactedContent }: JsonObject): void {
    if (typeof redactedContent === "string") {
      open.redacted = (open.redacted ?? "") + binary(redactedContent);
      return;
    }
    open.at ??= this.#builder.open({ type: "thinking", thinking: "" });
    const block = this.#builder.message.content[open.at];
    if (typeof text === "string") this.#builder.delta(open.at, text);
    if (block?.type !== "thinking" || typeof signature !== "string") return;
    block.thinkingSignature = (block.thinkingSignature ?? "") + signature;
  }

  #addArguments(at: number, value: unknown): void {
    if (isObject(value) && typeof value["input"] === "string") this.#builder.delta(at, value["input"]);
  }

  #addNote(open: Open, key: string, value: unknown): void {
    open.at ??= this.#builder.open({ type: "text", text: "" });
    const block = this.#builder.message.content[open.at];
    if (block !== undefined) appendNote(block, key, value);
  }
}

/** Decodes base64 into one character for each byte. */
function binary(base64: string): string {
  try {
    return atob(base64);
  } catch {
    throw badPayload("redacted reasoning in base64", base64);
  }
}

/** A delta of a service tool's call has a piece of its input; one of its result, a list; one of an image, its source. */
function addDelta(foreign: { value: JsonObject; json: string }, kind: string, more: unknown): void {
  if (kind === "toolUse" && isObject(more)) foreign.json += String(more["input"] ?? "");
  else if (kind === "toolResult" && Array.isArray(more)) {
    const { content } = foreign.value;
    foreign.value["content"] = [...(Array.isArray(content) ? content : []), ...more];
  } else if (isObject(more)) Object.assign(foreign.value, more);
}

function complete({ kind, value, json }: { kind: string; value: JsonObject; json: string }): JsonObject {
  if (kind !== "toolUse") return { [kind]: value };
  const { arguments: input, argumentsError } = parseArguments(json);
  return { [kind]: { ...value, input: argumentsError === undefined ? input : json } };
}
