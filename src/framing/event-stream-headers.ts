import { joinBytes } from "./bytes.js";

/** A header's value. The types are those of event streams; only strings are written. */
export type StreamHeader = string | number | bigint | boolean | Uint8Array;
export type StreamHeaders = ReadonlyMap<string, StreamHeader>;

const STRING = 7;

/** Undefined if they cannot be read. */
export function readHeaders(bytes: Uint8Array): StreamHeaders | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const headers = new Map<string, StreamHeader>();
  let at = 0;
  const next = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("the headers end too early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const nextValue = (type: number): StreamHeader => {
    switch (type) {
      case 0:
      case 1:
        return type === 0;
      case 2:
        return view.getInt8(at++);
      case 3:
        at += 2;
        return view.getInt16(at - 2);
      case 4:
        at += 4;
        return view.getInt32(at - 4);
      case 5:
      case 8:
        at += 8;
        return view.getBigInt64(at - 8);
      case 6:
      case STRING: {
        at += 2;
        const value = next(view.getUint16(at - 2));
        return type === STRING ? decoder.decode(value) : value.slice();
      }
      case 9:
        return next(16).slice();
      default:
        throw new RangeError(`there is no header type ${type}`);
    }
  };
  try {
    while (at < bytes.length) {
      const name = decoder.decode(next(view.getUint8(at++)));
      headers.set(name, nextValue(view.getUint8(at++)));
    }
    return headers;
  } catch (error) {
    // Of a view that is too short, or of text that is not UTF-8.
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The headers that have strings as values. */
export function writeHeaders(headers: StreamHeaders): Uint8Array {
  const encoder = new TextEncoder();
  return joinBytes(
    [...headers].flatMap(([name, value]) => {
      if (typeof value !== "string") return [];
      const [nameBytes, valueBytes] = [encoder.encode(name), encoder.encode(value)];
      const length = Uint8Array.of(STRING, valueBytes.length >> 8, valueBytes.length & 0xff);
      return [Uint8Array.of(nameBytes.length), nameBytes, length, valueBytes];
    }),
  );
}
