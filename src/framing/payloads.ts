import { SseReader } from "./sse.js";

/** One payload of a recorded stream, not parsed. */
export interface Payload {
  text: string;
  /** The number of the line it begins in. */
  line: number;
}

const FIELD = /^(?:data|event|id|retry|):/;

/** Whether a text begins as server-sent events do, with a field or a comment. */
export function isEventStream(text: string): boolean {
  return FIELD.test(text.trimStart());
}

/**
 * The payloads of a recorded stream: the data of server-sent events, or else the lines that are not blank.
 *
 * @example
 * streamPayloads('data: {"a":1}\n\ndata: [DONE]\n\n'); // [{ text: '{"a":1}', line: 1 }, { text: "[DONE]", line: 3 }]
 */
export function streamPayloads(text: string): Payload[] {
  const lines = text.split(/\r\n|\r|\n/);
  return isEventStream(text) ? eventPayloads(lines) : linePayloads(lines);
}

function linePayloads(lines: readonly string[]): Payload[] {
  return lines.flatMap((text, index) => (text.trim() === "" ? [] : [{ text, line: index + 1 }]));
}

/** Line by line, because a reader of events does not say where they were. */
function eventPayloads(lines: readonly string[]): Payload[] {
  const reader = new SseReader();
  const encoder = new TextEncoder();
  const payloads: Payload[] = [];
  let line = 0;
  for (const [index, text] of lines.entries()) {
    if (line === 0 && text.startsWith("data")) line = index + 1;
    for (const { data } of reader.push(encoder.encode(`${text}\n`))) {
      payloads.push({ text: data, line });
      line = 0;
    }
  }
  const last = reader.finish();
  if (last !== undefined) payloads.push({ text: last.data, line });
  return payloads;
}
