import { DragomanError } from "../core/error.js";
import { joinBytes, NO_BYTES } from "./bytes.js";
import { crc32 } from "./crc32.js";
import { readHeaders, type StreamHeaders, writeHeaders } from "./event-stream-headers.js";

/** One message of an event stream. */
export interface StreamMessage {
  headers: StreamHeaders;
  payload: Uint8Array;
}

/** Lengths and their checksum. */
const PRELUDE = 12;
const CHECKSUM = 4;
/** The longest message: 16 MiB of payload and 128 KiB of headers. */
export const MAX_STREAM_MESSAGE_BYTES = 2 ** 24 + 2 ** 17 + PRELUDE + CHECKSUM;

/**
 * Reads `application/vnd.amazon.eventstream`, cut anywhere. Every checksum is verified. A damaged message is
 * `framing/bad-message`, and one that is too long `framing/event-too-long`; nothing after it can be read. A failure comes
 * after everything before it: `push` throws if it has no messages to hand over; otherwise the next call throws.
 *
 *     total length │ headers length │ CRC of both │ headers │ payload │ CRC of everything before
 *          4       │       4        │      4      │         │         │   4 bytes
 *
 * @example
 * const reader = new EventStreamReader();
 * for (const chunk of chunks) for (const { headers, payload } of reader.push(chunk)) use(headers, payload);
 * reader.finish();
 */
export class EventStreamReader {
  #failure: DragomanError | undefined;
  #parts: Uint8Array[] = [];
  #size = 0;
  /** How many bytes the next step needs: a prelude, then the whole message. */
  #needed = PRELUDE;

  push(chunk: Uint8Array): StreamMessage[] {
    if (this.#failure !== undefined) throw this.#failure;
    const messages: StreamMessage[] = [];
    try {
      this.#read(chunk, messages);
    } catch (error) {
      if (!(error instanceof DragomanError) || messages.length === 0) throw error;
      this.#failure = error;
    }
    return messages;
  }

  #read(chunk: Uint8Array, messages: StreamMessage[]): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    const bytes = this.#parts.length === 1 ? chunk : joinBytes(this.#parts);
    let at = 0;
    this.#needed = PRELUDE;
    while (bytes.length - at >= PRELUDE) {
      const rest = bytes.subarray(at);
      const length = messageLength(rest);
      if (rest.length < length) {
        this.#needed = length;
        break;
      }
      messages.push(readMessage(rest.subarray(0, length)));
      at += length;
    }
    // A copy, so that a small rest does not keep a large chunk in memory.
    const rest = at === bytes.length ? NO_BYTES : bytes.slice(at);
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
  }

  /** Throws if the source ended within a message. */
  finish(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#size > 0) throw bad(`the stream ended within a message, ${this.#size} bytes after its start`);
  }
}

function messageLength(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const [length, headersLength] = [view.getUint32(0), view.getUint32(4)];
  if (crc32(bytes.subarray(0, 8)) !== view.getUint32(8)) throw bad("the checksum of its lengths is wrong");
  if (length > MAX_STREAM_MESSAGE_BYTES) {
    throw new DragomanError(
      "framing/event-too-long",
      `a message of the event stream has ${length} bytes, more than ${MAX_STREAM_MESSAGE_BYTES}`,
    );
  }
  if (headersLength + PRELUDE + CHECKSUM > length) throw bad("its headers are longer than the message");
  return length;
}

function readMessage(bytes: Uint8Array): StreamMessage {
  const view = viewOf(bytes);
  const end = bytes.length - CHECKSUM;
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end)) throw bad("the checksum is wrong");
  const payloadAt = PRELUDE + view.getUint32(4);
  const headers = readHeaders(bytes.subarray(PRELUDE, payloadAt));
  if (headers === undefined) throw bad("its headers cannot be read");
  return { headers, payload: bytes.subarray(payloadAt, end) };
}

/** One message as bytes. */
export function formatStreamMessage({ headers, payload }: StreamMessage): Uint8Array {
  const head = writeHeaders(headers);
  const bytes = new Uint8Array(PRELUDE + head.length + payload.length + CHECKSUM);
  const view = viewOf(bytes);
  view.setUint32(0, bytes.length);
  view.setUint32(4, head.length);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  bytes.set(head, PRELUDE);
  bytes.set(payload, PRELUDE + head.length);
  const end = bytes.length - CHECKSUM;
  view.setUint32(end, crc32(bytes.subarray(0, end)));
  return bytes;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function bad(why: string): DragomanError {
  return new DragomanError("framing/bad-message", `a message of the event stream is damaged: ${why}`, {
    details: { retryable: true },
  });
}
