import { byteText } from "./bytes.js";
import type { SseEvent } from "./sse.js";

/** Server-sent events with one line of JSON that differ only in the values of some fields: strings or whole numbers. */
export interface EventShape {
  /** One of the events. */
  sample: Pick<SseEvent, "event" | "data">;
  /** The names of the fields, in order, and whether their values are strings. */
  fields: readonly string[];
  isText: readonly boolean[];
  /** The event before, between and after the values. Each character is a byte. */
  constants: readonly string[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const encoder = new TextEncoder();

/** The shape of an event; undefined if it has none of the fields. */
export function shapeOf({ event, data }: SseEvent, fields: ReadonlySet<string>): EventShape | undefined {
  if (event.includes('"') || data.includes("\n")) return undefined;
  const name = event === "message" ? "" : `event: ${event}\n`;
  const { names, constants } = splitAtValues(`${name}data: ${data}\n\n`, fields);
  if (names.length === 0) return undefined;
  const isText = constants.slice(0, -1).map((constant) => constant.endsWith('"'));
  return { sample: { event, data }, fields: names, isText, constants };
}

/** Splits an event at the values of these fields. */
export function splitAtValues(
  event: string,
  fields: ReadonlySet<string>,
): { names: string[]; constants: string[] } {
  const names: string[] = [];
  const constants: string[] = [];
  let from = 0;
  const cut = (name: string, start: number, end: number) => {
    names.push(name);
    constants.push(byteText(encoder.encode(event.slice(from, start))));
    from = end;
  };
  for (let at = event.indexOf('"'); at >= 0; at = event.indexOf('"', at)) {
    const end = stringEnd(event, at + 1);
    if (end < 0) break;
    const name = event.slice(at + 1, end);
    const colon = spaceEnd(event, end + 1);
    at = end + 1;
    if (event[colon] !== ":" || !fields.has(name)) continue;
    const value = spaceEnd(event, colon + 1);
    if (event.charCodeAt(value) === QUOTE) {
      const valueEnd = stringEnd(event, value + 1);
      if (valueEnd < 0) break;
      cut(name, value + 1, valueEnd);
      at = valueEnd + 1;
    } else if (numberEnd(event, value) > value) cut(name, value, numberEnd(event, value));
  }
  constants.push(byteText(encoder.encode(event.slice(from))));
  return { names, constants };
}

/**
 * The end of the event at `at`, or -1 if it is incomplete or has another shape. Adds the start and the end of each value to
 * `bounds`.
 */
export function matchShape(
  { constants, isText }: EventShape,
  text: string,
  at: number,
  bounds: number[],
): number {
  const known = bounds.length;
  const values = isText.length;
  let end = constantEnd(text, at, constants[0]);
  // A line feed before the last two would be the end of a value's line.
  const line = end < 0 ? -1 : text.indexOf("\n", end);
  for (let index = 0; index < values && end >= 0; index++) {
    bounds.push(end);
    end = isText[index] === true ? stringEnd(text, end) : numberEnd(text, end);
    bounds.push(end);
    if (end >= 0) end = constantEnd(text, end, constants[index + 1]);
  }
  if (end >= 0 && line === end - 2) return end;
  bounds.length = known;
  return -1;
}

/** Compares slices, because `startsWith` takes ten times as long with a long text. */
function constantEnd(text: string, at: number, constant = ""): number {
  const end = at + constant.length;
  return text.slice(at, end) === constant ? end : -1;
}

/** Whether an event that starts like this may have the shape. */
export function mayMatch({ constants: [first = ""] }: EventShape, start: string): boolean {
  return first.startsWith(start) || start.startsWith(first);
}

/** The closing quote of a JSON string, or -1. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end >= 0 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, start: number, at: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

function numberEnd(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function spaceEnd(text: string, start: number): number {
  let end = start;
  while (text[end] === " ") end++;
  return end;
}
