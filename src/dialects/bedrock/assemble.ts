import { unknownOrigin } from "../../core/api/api-dialect.js";
import type { Assembler } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import { response } from "./response.js";
import { BedrockReader } from "./stream-reader.js";

/** Joins the events of `ConverseStream` into a response of `Converse`. */
export class ConverseAssembler implements Assembler {
  readonly #reader = new BedrockReader(unknownOrigin);
  #message: AssistantMessage | undefined;

  push(payload: unknown): void {
    if (this.#reader.ended) return;
    for (const event of this.#reader.push(payload)) {
      if (event.type === "done") this.#message = event.message;
      if (event.type === "error") this.#message = event.error;
    }
  }

  response(): JsonObject {
    if (this.#message !== undefined) return response(this.#message);
    throw new DragomanError("provider/bad-response", "the stream ended before its terminal event");
  }
}
