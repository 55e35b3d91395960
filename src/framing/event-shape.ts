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

/** The inside of a JSON string. */
const STRING_VALUE = String.raw`[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*`;
/** How long a text must be to be matched by an expression. A stream at a model's pace arrives in shorter pieces. */
const COMPILED_FROM = 8192;
const expressions = new WeakMap<EventShape, RegExp>();

/** The shape of an event; undefined if it has none of the fields. */
export function shapeOf(
  { event, data }: EventShape["sample"],
  fields: ReadonlySet<string>,
): EventShape | undefined {
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

/** The end of the events with this shape that follow each other from `at` on; `at` if there are none. */
export function matchEvents(shape: EventShape, text: string, at: number): number {
  if (constantEnd(text, at, shape.constants[0]) < 0) return at;
  if (text.length - at >= COMPILED_FROM) {
    const run = runExpression(shape);
    run.lastIndex = at;
    return run.test(text) ? run.lastIndex : at;
  }
  let end = at;
  for (let next = at; next >= 0; next = matchEvent(shape, text, end)) end = next;
  return end;
}

/** The end of the event at `at`, or -1 if it is incomplete or has another shape. */
export function matchEvent({ constants, isText }: EventShape, text: string, at: number): number {
  let end = constantEnd(text, at, constants[0]);
  // A line feed before the last two would be the end of a value's line.
  const line = end < 0 ? -1 : text.indexOf("\n", end);
  for (let index = 0; index < isText.length && end >= 0; index++) {
    end = valueEnd(text, end, isText[index]);
    if (end >= 0) end = constantEnd(text, end, constants[index + 1]);
  }
  return line === end - 2 ? end : -1;
}

/** What is replaced in a constant of each event. */
export interface ShapeEdit {
  /** The index of the constant, and a part of it. */
  constant: number;
  start: number;
  end: number;
  text: string;
}

/** What turns the shape's constants into others, in order. */
export function editsFor({ constants }: EventShape, others: readonly string[]): ShapeEdit[] {
  return constants.flatMap((before, constant) => {
    const after = others[constant] ?? "";
    if (before === after) return [];
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start++;
    let kept = 0;
    while (kept < shorter - start && before.at(-1 - kept) === after.at(-1 - kept)) kept++;
    return { constant, start, end: before.length - kept, text: after.slice(start, after.length - kept) };
  });
}

/** The matched events from `start` to `end` with these edits, joined from as few pieces as possible, because each takes time. */
export function editEvents(
  { constants, isText }: EventShape,
  edits: readonly ShapeEdit[],
  text: string,
  start: number,
  end: number,
): string {
  let edited = "";
  let copied = start;
  for (let at = start; at < end; ) {
    let constant = 0;
    for (const edit of edits) {
      for (; constant < edit.constant; constant++) {
        at = valueEnd(text, at + lengthOf(constants, constant), isText[constant]);
      }
      edited += text.slice(copied, at + edit.start) + edit.text;
      copied = at + edit.end;
    }
    // After the first constant, the only line feeds are those that end the event.
    at = text.indexOf("\n\n", at + Math.max(0, lengthOf(constants, constant) - 2)) + 2;
  }
  return edited + text.slice(copied, end);
}

function lengthOf(constants: readonly string[], index: number): number {
  return constants[index]?.length ?? 0;
}

/** One or more events of a shape. It takes a third of the time of `matchEvent`, but compiling it takes as long as 1,000 events. */
export function runExpression(shape: EventShape): RegExp {
  const known = expressions.get(shape);
  if (known !== undefined) return known;
  const values = shape.isText.map((isText) => (isText ? STRING_VALUE : "[0-9]+"));
  const event = shape.constants.map((constant, index) => escapeExpression(constant) + (values[index] ?? ""));
  const expression = new RegExp(`(?:${event.join("")})+`, "y");
  expressions.set(shape, expression);
  return expression;
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
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

/** The end of a value, or -1. */
function valueEnd(text: string, start: number, isText = false): number {
  return isText ? stringEnd(text, start) : numberEnd(text, start);
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
