import { DragomanError } from "../core/error.js";
import type { SseEvent } from "./sse.js";

const LINE_END = /\r\n|\r|\n/;

/**
 * One event as `text/event-stream`. Line endings in `data` are read back as LF. An empty `event` is left out, because it
 * would be read back as `"message"`.
 *
 * @example
 * formatSse({ event: "delta", data: "one\ntwo" }); // "event: delta\ndata: one\ndata: two\n\n"
 */
export function formatSse(event: Partial<SseEvent> & Pick<SseEvent, "data">): string {
  let text = "";
  if (event.event !== undefined && event.event !== "") text += `event: ${oneLine("event", event.event)}\n`;
  if (event.id !== undefined) text += `id: ${oneLine("id", event.id)}\n`;
  if (event.retry !== undefined) text += `retry: ${milliseconds(event.retry)}\n`;
  return `${text}${prefixLines("data: ", event.data)}\n`;
}

/**
 * A comment, which clients ignore; keeps a connection open. A blank line follows, for clients that wait for one.
 *
 * @example
 * formatComment("ping"); // ": ping\n\n"
 */
export function formatComment(text: string): string {
  return `${prefixLines(": ", text)}\n`;
}

function prefixLines(prefix: string, text: string): string {
  if (!text.includes("\n") && !text.includes("\r")) return `${prefix}${text}\n`;
  return text
    .split(LINE_END)
    .map((line) => `${prefix}${line}\n`)
    .join("");
}

function oneLine(field: "event" | "id", value: string): string {
  if (/[\r\n]/.test(value)) throw badField(`a line ending in "${field}"`, "only data can have several lines");
  if (field === "id" && value.includes("\0")) throw badField('NUL in "id"', "clients ignore such an id");
  return value;
}

function milliseconds(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw badField(`"retry" is ${value}`, "give a whole number of milliseconds, 0 or more");
}

function badField(problem: string, hint: string): DragomanError {
  return new DragomanError("framing/bad-field", `cannot write the event: ${problem}`, { hint });
}
