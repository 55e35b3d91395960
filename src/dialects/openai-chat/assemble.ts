import type { Assembler } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { merge } from "./merge.js";

const IN_CHUNK = new Set(["choices", "object", "obfuscation", "usage"]);
const IN_CHOICE = new Set(["index", "delta", "finish_reason"]);
const IN_DELTA = new Set(["role", "tool_calls", "reasoning_details"]);
/** The fields of numbered pieces that are sent in parts; the others are repeated. */
const GROWING = new Set(["arguments", "text", "summary", "data"]);

/** Assembles chunks into a completion with all its choices. */
export class CompletionAssembler implements Assembler {
  readonly #head: JsonObject = {};
  readonly #choices = new Map<number, ChoiceAssembler>();
  #usage: unknown;

  push(payload: unknown): void {
    if (!isObject(payload)) return;
    for (const [field, value] of Object.entries(payload)) {
      if (!IN_CHUNK.has(field) && value !== null && value !== "") this.#head[field] = value;
    }
    const { choices, usage } = payload;
    if (isObject(usage)) this.#usage = usage;
    for (const choice of Array.isArray(choices) ? choices.filter(isObject) : []) {
      const index = typeof choice["index"] === "number" ? choice["index"] : 0;
      const known = this.#choices.get(index) ?? new ChoiceAssembler(index);
      this.#choices.set(index, known);
      known.push(choice);
    }
  }

  response(): JsonObject {
    const { id, ...head } = this.#head;
    const choices = [...this.#choices].sort(([a], [b]) => a - b).map(([, choice]) => choice.choice());
    const usage = this.#usage === undefined ? {} : { usage: this.#usage };
    return { ...(id === undefined ? {} : { id }), object: "chat.completion", ...head, choices, ...usage };
  }
}

class ChoiceAssembler {
  readonly #index: number;
  readonly #fields: JsonObject = { logprobs: null };
  readonly #message: JsonObject = { role: "assistant", content: null };
  readonly #numbered = new Map<string, Map<unknown, JsonObject>>();
  #finishReason: unknown = null;

  constructor(index: number) {
    this.#index = index;
  }

  push(choice: JsonObject): void {
    const { delta, finish_reason: reason } = choice;
    merge(this.#fields, choice, IN_CHOICE);
    if (typeof reason === "string" && reason !== "") this.#finishReason = reason;
    if (!isObject(delta)) return;
    merge(this.#message, delta, IN_DELTA);
    for (const field of ["tool_calls", "reasoning_details"]) this.#addNumbered(field, delta[field]);
  }

  choice(): JsonObject {
    const lists = [...this.#numbered].map(([field, entries]) => [field, [...entries.values()]]);
    const message = { ...this.#message, ...Object.fromEntries(lists) };
    return { index: this.#index, message, ...this.#fields, finish_reason: this.#finishReason };
  }

  /** Joins pieces with the same number into one entry. A piece without a number is its own entry. */
  #addNumbered(field: string, pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    const entries = this.#numbered.get(field) ?? new Map<unknown, JsonObject>();
    this.#numbered.set(field, entries);
    for (const piece of pieces.filter(isObject)) {
      const { index, ...rest } = piece;
      // An unstreamed answer has indexes in its reasoning, but not in its calls.
      const shown = field === "tool_calls" ? rest : piece;
      const key =
        typeof index === "number" ? `${index} ${field === "tool_calls" ? "" : rest["type"]}` : Symbol();
      const known = entries.get(key);
      if (known === undefined) entries.set(key, structuredClone(shown));
      else addPiece(known, shown);
    }
  }
}

function addPiece(target: JsonObject, piece: JsonObject): void {
  for (const [field, value] of Object.entries(piece)) {
    const before = target[field];
    if (value === null || value === "") continue;
    if (isObject(before) && isObject(value)) addPiece(before, value);
    else if (GROWING.has(field) && typeof before === "string") target[field] = `${before}${value}`;
    else target[field] = value;
  }
}
