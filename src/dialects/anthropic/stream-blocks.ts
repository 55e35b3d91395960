import { parseArguments } from "../../core/json/arguments.js";
import { isObject, setOwn } from "../../core/json/value.js";
import { badPayload } from "../../core/records/unexpected.js";
import type { AnswerBuilder } from "../../core/stream/builder.js";
import type { AssistantContent, TextContent } from "../../core/types.js";
import { addNotes, appendNote, notesOf } from "./notes.js";
import { readAnswerBlock } from "./parts.js";
import { type Block, isBlock, NAME } from "./wire.js";

/** A block between its start and its stop. */
type Open =
  /** Streams as our block `at`; `whole` has the arguments of a call if they came with its start. */
  | { at: number; whole?: string }
  /** An unknown block, emitted when it is complete; `json` is its input so far. */
  | { value: Block; json: string }
  | { redacted: AssistantContent };

/** The blocks of a streamed answer, by their index in the stream. */
export class OpenBlocks {
  readonly #builder: AnswerBuilder;
  readonly #open = new Map<unknown, Open>();

  constructor(builder: AnswerBuilder) {
    this.#builder = builder;
  }

  start(index: unknown, wire: unknown, isWhole = false): void {
    if (!isBlock(wire)) throw badPayload("a block with a type", wire);
    if (this.#open.has(index)) throw badPayload("the end of the open block first", wire);
    // In a stream the signature comes later, so its absence here is not a deviation.
    const isUnsigned = wire.type === "thinking" && !isWhole;
    const block = readAnswerBlock(isUnsigned ? { signature: "", ...wire } : wire);
    this.#open.set(index, this.#begin(block, wire));
  }

  delta(index: unknown, delta: unknown): void {
    const open = this.#open.get(index);
    if (!isBlock(delta) || open === undefined) throw badPayload("a delta of an open block", delta);
    if ("value" in open) addDelta(open, delta);
    else if ("redacted" in open) appendNote(open.redacted, "deltas", delta);
    else this.#stream(open.at, delta);
  }

  stop(index: unknown): void {
    const open = this.#open.get(index);
    if (open === undefined) return;
    this.#open.delete(index);
    if ("value" in open) this.#builder.whole({ type: "opaque", dialect: NAME, value: complete(open) });
    else if ("redacted" in open) this.#builder.whole(open.redacted);
    else if (open.whole === undefined || this.#builder.argumentsText(open.at) !== "")
      this.#builder.close(open.at);
    else this.#builder.close(open.at, open.whole);
  }

  stopAll(): void {
    for (const index of [...this.#open.keys()]) this.stop(index);
  }

  /** Emits the open blocks that are not streamed: unknown blocks, redacted thinking, and calls with whole arguments. */
  flush(): void {
    for (const [index, open] of [...this.#open]) {
      if (!("at" in open) || open.whole !== undefined) this.stop(index);
    }
  }

  #begin(block: AssistantContent, wire: Block): Open {
    switch (block.type) {
      case "text": {
        const at = this.#builder.open({ ...block, text: "" });
        this.#builder.delta(at, block.text);
        return { at };
      }
      case "thinking": {
        if (block.redacted === true) return { redacted: block };
        const at = this.#builder.open({ ...block, thinking: "" });
        this.#builder.delta(at, block.thinking);
        return { at };
      }
      case "toolCall": {
        const at = this.#builder.open({ ...block, arguments: {} });
        const isWhole = Object.keys(block.arguments).length > 0;
        return isWhole ? { at, whole: JSON.stringify(block.arguments) } : { at };
      }
      default:
        return { value: { ...wire }, json: "" };
    }
  }

  #stream(at: number, delta: Block): void {
    const block = this.#builder.message.content[at];
    const { text, thinking, signature, citation, partial_json: json } = delta;
    if (block?.type === "text" && typeof text === "string") this.#builder.delta(at, text);
    else if (block?.type === "text" && citation !== undefined) addCitation(block, citation);
    else if (block?.type === "thinking" && typeof thinking === "string") this.#builder.delta(at, thinking);
    else if (block?.type === "thinking" && typeof signature === "string") block.thinkingSignature = signature;
    else if (block?.type === "toolCall" && typeof json === "string") this.#builder.delta(at, json);
    else if (block !== undefined) appendNote(block, "deltas", delta);
  }
}

function addCitation(block: TextContent, citation: unknown): void {
  const { fields } = notesOf(block);
  const known = isObject(fields) ? fields : {};
  const citations = Array.isArray(known["citations"]) ? known["citations"] : [];
  addNotes(block, { fields: { ...known, citations: [...citations, citation] } });
}

/** Appends to strings and replaces everything else. */
function addDelta(open: { value: Block; json: string }, { type: _, ...delta }: Block): void {
  for (const [key, more] of Object.entries(delta)) {
    const known = open.value[key];
    if (key === "partial_json") open.json += typeof more === "string" ? more : JSON.stringify(more);
    else setOwn(open.value, key, typeof known === "string" && typeof more === "string" ? known + more : more);
  }
}

/** The block with its streamed input. An input that is not JSON stays in `partial_json`. */
function complete({ value, json }: { value: Block; json: string }): Block {
  if (json === "") return value;
  const parsed = parseArguments(json);
  return parsed.argumentsError === undefined
    ? { ...value, input: parsed.arguments }
    : { ...value, partial_json: json };
}
