import type { Assembler } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

/** Returns the response in the last event. If a server omits its items there, they come from earlier events. */
export class ResponseAssembler implements Assembler {
  #response: JsonObject = {};
  readonly #items: unknown[] = [];

  push(payload: unknown): void {
    if (!isObject(payload)) return;
    const { type, response, item, output_index: index } = payload;
    if (isObject(response)) this.#response = response;
    else if (type === "response.output_item.done" && typeof index === "number") this.#items[index] = item;
  }

  response(): JsonObject {
    const { output } = this.#response;
    if (Array.isArray(output) && output.length > 0) return this.#response;
    return { ...this.#response, output: this.#items };
  }
}
