import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { joinsTurn } from "./wire.js";

/** The tools that the calls of a turn name, by call id: a Timbal result says which call it answers, not which tool ran. */
export class CallNames {
  readonly #names = new Map<string, string>();
  #last: JsonRecord | undefined;

  /** Reads the next record. A record that begins another turn, or stands in another stream, starts from nothing. */
  read(record: JsonRecord): void {
    if (this.#last !== undefined && !joinsTurn(this.#last, record)) this.#names.clear();
    this.#last = record;
    const { v } = record;
    if (!isObject(v) || v["type"] !== "tool_call") return;
    const { toolCallId, name } = v;
    if (typeof toolCallId === "string" && typeof name === "string" && name !== "") {
      this.#names.set(toolCallId, name);
    }
  }

  of(toolCallId: unknown): string | undefined {
    return typeof toolCallId === "string" ? this.#names.get(toolCallId) : undefined;
  }
}
