const FINAL_TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

let last: { message: Uint8Array; frame: Uint8Array } | undefined;

/**
 * A text message as an unmasked WebSocket frame (RFC 6455, section 5.2). A message to many clients is framed once: they are sent
 * the same bytes one after another.
 */
export function frameText(message: string | Uint8Array): Uint8Array {
  if (typeof message === "string") return concatFrame(Buffer.from(message));
  if (last?.message !== message) last = { message, frame: concatFrame(message) };
  return last.frame;
}

function concatFrame(payload: Uint8Array): Buffer {
  const { length } = payload;
  const headLength = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = FINAL_TEXT;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(payload, headLength);
  return frame;
}
