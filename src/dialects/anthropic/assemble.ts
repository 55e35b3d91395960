import type { Assembler } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

/** Assembles the message that a stream contains. */
export class MessageAssembler implements Assembler {
  #message: JsonObject = {};
  readonly #blocks: JsonObject[] = [];
  /** The arguments of calls so far, by block index. */
  readonly #inputs = new Map<number, string>();

  push(payload: unknown): void {
    if (!isObject(payload)) return;
    const { type, message, index, content_block: block, delta, usage, ...fields } = payload;
    if (type === "message_start" && isObject(message)) this.#message = { ...message };
    else if (type === "message_delta") {
      Object.assign(this.#message, isObject(delta) ? delta : {}, fields);
      if (isObject(usage)) this.#addUsage(usage);
    } else if (typeof index !== "number") return;
    else if (type === "content_block_start" && isObject(block)) this.#blocks[index] = { ...block };
    else if (type === "content_block_delta" && isObject(delta)) this.#addDelta(index, delta);
    else if (type === "content_block_stop") this.#closeBlock(index);
  }

  response(): JsonObject {
    return { ...this.#message, content: this.#blocks };
  }

  /** Later counts replace earlier ones; null does not. */
  #addUsage(usage: JsonObject): void {
    const known = Object.entries(usage).filter(([, value]) => value !== null);
    const { usage: before } = this.#message;
    this.#message["usage"] = { ...(isObject(before) ? before : {}), ...Object.fromEntries(known) };
  }

  #addDelta(index: number, { type, ...delta }: JsonObject): void {
    const block = this.#blocks[index];
    if (block === undefined) return;
    switch (type) {
      case "input_json_delta":
        this.#inputs.set(index, `${this.#inputs.get(index) ?? ""}${delta["partial_json"]}`);
        return;
      case "citations_delta": {
        const { citations } = block;
        block["citations"] = [...(Array.isArray(citations) ? citations : []), delta["citation"]];
        return;
      }
      case "signature_delta":
        Object.assign(block, delta);
        return;
      default:
        for (const [field, piece] of Object.entries(delta)) {
          const before = block[field];
          block[field] = typeof before === "string" && typeof piece === "string" ? before + piece : piece;
        }
    }
  }

  #closeBlock(index: number): void {
    const [block, input] = [this.#blocks[index], this.#inputs.get(index)];
    if (block === undefined || input === undefined || input === "") return;
    block["input"] = parseInput(input);
  }
}

/** An input must be an object, so arguments that are cut off or invalid are wrapped in one. */
function parseInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return { INVALID_JSON: input };
  }
}
