import { SseReader } from "./sse.js";

/** One unparsed payload of a recorded stream. */
export interface Payload {
  text: string;
  /** The number of its first line. */
  line: number;
}

const FIELD = /^(?:data|event|id|retry|):/;

/** Whether a text starts like server-sent events, with a field or a comment. */
export function isEventStream(text: string): boolean {
  return FIELD.test(text.trimStart());
}

/**
 * The payloads of a recorded stream: the data of server-sent events, otherwise the non-blank lines.
 *
 * @example
 * streamPayloads('data: {"a":1}\n\ndata: [DONE]\n\n'); // [{ text: '{"a":1}', line: 1 }, { text: "[DONE]", line: 3 }]
 */
export function streamPayloads(text: string): Payload[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (isEventStream(text)) return eventPayloads(lines);
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [{ text: line, line: index + 1 }]));
}

/** Line by line, because `SseReader` does not report where an event was. */
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
