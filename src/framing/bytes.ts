export const NO_BYTES = new Uint8Array(0);

/** The end of a line. */
export const LF = 0x0a;

/** Whether a byte is a space, a tab or a CR; also for undefined, the end of a line. */
export function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** A concatenated copy. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Bytes as a text with one character for each. Node cuts, joins and sends such texts faster than buffers of their size. */
export interface ByteString {
  readonly byteString: string;
}

/** A text with one character for each byte. Node's own function is many times faster than the loop, but browsers lack it. */
export function byteText(bytes: Uint8Array): string {
  const buffer = globalThis.Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer?.toString("latin1") ?? loopedText(bytes);
}

function loopedText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The bytes of a text with one character for each byte. */
export function textBytes(text: string): Uint8Array {
  return globalThis.Buffer?.from(text, "latin1") ?? Uint8Array.from(text, (byte) => byte.charCodeAt(0));
}
