import type { Assembler } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

/** Assembles lines into an answer: joins texts and lists; of other fields, the last value counts. */
export class ChatAssembler implements Assembler {
  #line: JsonObject = {};
  readonly #message: JsonObject = {};

  push(payload: unknown): void {
    if (!isObject(payload)) return;
    const { message, ...fields } = payload;
    this.#line = { ...this.#line, ...fields };
    for (const [field, piece] of Object.entries(isObject(message) ? message : {})) {
      const before = this.#message[field];
      if (field !== "role" && typeof before === "string" && typeof piece === "string") {
        this.#message[field] = before + piece;
      } else if (Array.isArray(before) && Array.isArray(piece)) for (const one of piece) before.push(one);
      else this.#message[field] = Array.isArray(piece) ? [...piece] : piece;
    }
  }

  response(): JsonObject {
    const { model, created_at, ...fields } = this.#line;
    return { model, created_at, message: this.#message, ...fields };
  }
}
