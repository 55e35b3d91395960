import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AnyMessageContent, WAMessage } from "baileys";
import { isObject } from "../../core/json/value.js";
import { reasonOf } from "../network-failure.js";
import { type Media, SendError } from "../types.js";
import type { DeviceConnection } from "./device.js";

/** Without an acknowledgement by then, the outcome is unknown. */
const ACK_MS = 30_000;
const ACK = "CB:ack,class:message";

export interface Sending extends DeviceConnection {
  jid: string;
  content: AnyMessageContent;
  key: string;
  quoted: WAMessage | undefined;
}

/**
 * Sends, and waits for WhatsApp's acknowledgement: Baileys' promise already resolves when the message is written to the socket.
 * The id is derived from the key, so duplicates can be recognised.
 */
export async function send({ socket, over, jid, content, key, quoted }: Sending): Promise<string> {
  const id = idOf(key);
  const stop = new AbortController();
  const acknowledged = waitForAck({ socket, over }, id, stop.signal);
  try {
    await socket.sendMessage(jid, content, { messageId: id, ...(quoted !== undefined && { quoted }) });
    await Promise.race([acknowledged, rejectLate(stop.signal)]);
  } catch (error) {
    throw error instanceof SendError ? error : sendError(error);
  } finally {
    stop.abort();
  }
  return id;
}

function waitForAck({ socket, over }: DeviceConnection, id: string, stop: AbortSignal): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    const onOver = () =>
      reject(new SendError("unknown", "the connection was lost before WhatsApp acknowledged the message"));
    const onAck = (node: unknown) => {
      const { id: acked, error } = isObject(node) && isObject(node["attrs"]) ? node["attrs"] : {};
      if (acked !== id) return;
      if (error === undefined) resolve();
      else reject(new SendError("refused", `WhatsApp rejected the message (${error})`));
    };
    socket.ws.on(ACK, onAck);
    over.addEventListener("abort", onOver);
    stop.addEventListener("abort", () => {
      socket.ws.off(ACK, onAck);
      over.removeEventListener("abort", onOver);
    });
  });
  // It may reject during the write, before anything awaits it.
  done.catch(() => undefined);
  return done;
}

async function rejectLate(signal: AbortSignal): Promise<never> {
  await pause(ACK_MS, undefined, { signal });
  throw new SendError("unknown", "WhatsApp did not acknowledge the message");
}

const CLOSED = 428;

/**
 * Why Baileys could not write a message. It first queries people and keys and uploads files; if that fails, nothing was sent.
 */
export function sendError(error: unknown): SendError {
  // A socket that closes during a query rejects with only its code.
  if (typeof error === "number") return new SendError("later", `the connection was lost (${error})`);
  const { output, data, code, syscall } = isObject(error) ? error : {};
  const status = isObject(output) ? output["statusCode"] : undefined;
  const why = reasonOf(error);
  const options = { cause: error };
  // WhatsApp cannot decrypt a partly written message.
  const isUnsent = status === CLOSED || syscall === "write" || /upload failed/i.test(why);
  if (isUnsent) return new SendError("later", why, options);
  // WhatsApp's error reply to such a query.
  if (typeof data === "number") return new SendError(data < 500 ? "refused" : "later", why, options);
  const isConnection = isObject(output) || typeof code === "string";
  return new SendError(isConnection ? "unknown" : "refused", why, options);
}

/** In the format of WhatsApp's own clients. */
function idOf(key: string): string {
  return `3EB0${createHash("sha256").update(key).digest("hex").slice(0, 18).toUpperCase()}`;
}

/** A file as Baileys expects it. Audio cannot have a caption, so with one it is sent as a document. */
export function fileContent(
  { bytes, mimeType = "application/octet-stream", name }: Media,
  caption: string,
): AnyMessageContent {
  const file = Buffer.from(bytes);
  const captioned = caption === "" ? {} : { caption };
  const [family] = mimeType.split("/");
  switch (family === "audio" && caption !== "" ? "document" : family) {
    case "image":
      return { image: file, mimetype: mimeType, ...captioned };
    case "video":
      return { video: file, mimetype: mimeType, ...captioned };
    case "audio":
      return { audio: file, mimetype: mimeType };
    default:
      return { document: file, mimetype: mimeType, fileName: name ?? "file", ...captioned };
  }
}
