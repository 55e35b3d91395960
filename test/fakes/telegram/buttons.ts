import { isObject } from "../../../src/core/json/value.js";
import { Refused, refuseIf } from "./refusal.js";

export interface Button {
  text: string;
  data: string;
}

/** The buttons of an inline keyboard, row by row; undefined without one. Telegram takes 1 to 64 bytes of data. */
export function buttonsOf(markup: unknown): Button[] | undefined {
  if (markup === undefined) return undefined;
  const rows = isObject(markup) ? markup["inline_keyboard"] : undefined;
  if (!Array.isArray(rows)) throw new Refused("Bad Request: object expected as reply markup");
  return rows.flat().map((button) => {
    const { text, callback_data: data } = isObject(button) ? button : {};
    refuseIf(typeof text !== "string" || text === "", "Bad Request: text buttons are unallowed");
    const bytes = typeof data === "string" ? Buffer.byteLength(data) : 0;
    refuseIf(bytes < 1 || bytes > 64, "Bad Request: BUTTON_DATA_INVALID");
    return { text: String(text), data: String(data) };
  });
}

/** Pressed buttons. Each is answered once, with at most 200 characters. */
export class CallbackQueries {
  readonly #open = new Set<string>();
  /** The notices that people were shown, in order; empty if there was none. */
  readonly notices: string[] = [];
  #next = 4000;

  begin(): string {
    const id = String(this.#next++);
    this.#open.add(id);
    return id;
  }

  answer({ callback_query_id: id, text = "" }: Record<string, unknown>): true {
    const why = "query is too old and response timeout expired or query ID is invalid";
    refuseIf(!this.#open.delete(String(id)), `Bad Request: ${why}`);
    refuseIf(String(text).length > 200, "Bad Request: MESSAGE_TOO_LONG");
    this.notices.push(String(text));
    return true;
  }
}
