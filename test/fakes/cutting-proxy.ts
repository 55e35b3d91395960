import type { Socket } from "node:net";
import { type TcpProxy, tcpProxy } from "./tcp-proxy.js";

/**
 * A port that leads to a gateway, over which WebSockets can be cut: each frame of the server passes only if `mayPass`
 * says so, otherwise its connection ends there.
 */
export function cuttingProxy(
  target: string,
  mayPass: (frame: string) => boolean = () => true,
): Promise<TcpProxy> {
  return tcpProxy(target, (server, client, end) => passFrames(server, client, mayPass, end));
}

/** Lets the answer to the handshake through, and then frame by frame. */
function passFrames(from: Socket, to: Socket, mayPass: (frame: string) => boolean, end: () => void): void {
  let unread = Buffer.alloc(0);
  let isOpen = false;
  from.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const length = isOpen ? frameLength(unread) : headersLength(unread);
      if (length === 0 || length > unread.length) return;
      const whole = unread.subarray(0, length);
      unread = unread.subarray(length);
      if (isOpen && !mayPass(payloadOf(whole).toString())) return end();
      isOpen = true;
      to.write(whole);
    }
  });
}

function headersLength(bytes: Buffer): number {
  const end = bytes.indexOf("\r\n\r\n");
  return end === -1 ? 0 : end + 4;
}

/** Of the first frame, which no server masks; 0 while not even its length is there. */
function frameLength(bytes: Buffer): number {
  const short = (bytes[1] ?? 0) & 0x7f;
  const head = headLength(bytes);
  if (bytes.length < head) return 0;
  if (short === 126) return head + bytes.readUInt16BE(2);
  return short === 127 ? head + Number(bytes.readBigUInt64BE(2)) : head + short;
}

function headLength(bytes: Buffer): number {
  const short = (bytes[1] ?? 0) & 0x7f;
  return short === 126 ? 4 : short === 127 ? 10 : 2;
}

function payloadOf(frame: Buffer): Buffer {
  return frame.subarray(headLength(frame));
}
