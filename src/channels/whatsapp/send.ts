import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AnyMessageContent, WAMessage } from "baileys";
import { isObject } from "../../core/json/value.js";
import { reasonOf } from "../network-failure.js";
import { type Media, SendError } from "../types.js";
import type { Connection } from "./device.js";

/** After so long without a word nobody knows what became of it. */
const PATIENCE_MS = 30_000;
const ACK = "CB:ack,class:message";

export interface Sending extends Connection {
  jid: string;
  content: AnyMessageContent;
  key: string;
  quoted: WAMessage | undefined;
}

/**
 * Sends, and waits until WhatsApp says that it has it: Baileys' promise is fulfilled when the message was written to the socket.
 * The id is made of the key, so that whoever sees a message twice can tell.
 */
export async function send({ socket, over, jid, content, key, quoted }: Sending): Promise<string> {
  const id = idOf(key);
  const stop = new AbortController();
  const taken = waitForAck({ socket, over }, id, stop.signal);
  try {
    await socket.sendMessage(jid, content, { messageId: id, ...(quoted !== undefined && { quoted }) });
    await Promise.race([taken, rejectLate(stop.signal)]);
  } catch (error) {
    throw error instanceof SendError ? error : sendError(error);
  } finally {
    stop.abort();
  }
  return id;
}

function waitForAck({ socket, over }: Connection, id: string, stop: AbortSignal): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    const onOver = () =>
      reject(
        new SendError("unknown", "the connection was lost before WhatsApp said whether it has the message"),
      );
    const onAck = (node: unknown) => {
      const { id: acked, error } = isObject(node) && isObject(node["attrs"]) ? node["attrs"] : {};
      if (acked !== id) return;
      if (error === undefined) resolve();
      else reject(new SendError("refused", `WhatsApp does not take it (${error})`));
    };
    socket.ws.on(ACK, onAck);
    over.addEventListener("abort", onOver);
    stop.addEventListener("abort", () => {
      socket.ws.off(ACK, onAck);
      over.removeEventListener("abort", onOver);
    });
  });
  // It may fail while it is still being written, and nobody waits for it then.
  done.catch(() => undefined);
  return done;
}

async function rejectLate(signal: AbortSignal): Promise<never> {
  await pause(PATIENCE_MS, undefined, { signal });
  throw new SendError("unknown", "WhatsApp does not say whether it has the message");
}

const CLOSED = 428;

/**
 * Why Baileys could not write it. Before it does, it asks WhatsApp for people and their keys, and uploads files: what fails then
 * was not sent.
 */
export function sendError(error: unknown): SendError {
  // A socket that closes during a question is told by its code alone.
  if (typeof error === "number") return new SendError("later", `the connection was lost (${error})`);
  const { output, data, code, syscall } = isObject(error) ? error : {};
  const status = isObject(output) ? output["statusCode"] : undefined;
  const why = reasonOf(error);
  const options = { cause: error };
  // Of what was written in part, WhatsApp can decrypt nothing.
  const isUnsent = status === CLOSED || syscall === "write" || /upload failed/i.test(why);
  if (isUnsent) return new SendError("later", why, options);
  // An answer of WhatsApp's to such a question.
  if (typeof data === "number") return new SendError(data < 500 ? "refused" : "later", why, options);
  const isConnection = isObject(output) || typeof code === "string";
  return new SendError(isConnection ? "unknown" : "refused", why, options);
}

/** Looks like those of WhatsApp's own clients. */
function idOf(key: string): string {
  return `3EB0${createHash("sha256").update(key).digest("hex").slice(0, 18).toUpperCase()}`;
}

/** A file as Baileys wants it, by what it is. Audio has no place for words: with some it is a document. */
export function fileContent(
  { bytes, mimeType = "application/octet-stream", name }: Media,
  caption: string,
): AnyMessageContent {
  const file = Buffer.from(bytes);
  const said = caption === "" ? {} : { caption };
  const [family] = mimeType.split("/");
  switch (family === "audio" && caption !== "" ? "document" : family) {
    case "image":
      return { image: file, mimetype: mimeType, ...said };
    case "video":
      return { video: file, mimetype: mimeType, ...said };
    case "audio":
      return { audio: file, mimetype: mimeType };
    default:
      return { document: file, mimetype: mimeType, fileName: name ?? "file", ...said };
  }
}
