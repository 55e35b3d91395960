import { createHash } from "node:crypto";
import type { AnyMessageContent, WAMessage, WASocket } from "baileys";
import { isObject } from "../../core/json/value.js";
import { reasonOf } from "../network-failure.js";
import { type Media, SendError } from "../types.js";

/** After so long without a word nobody knows what became of it. */
const PATIENCE_MS = 30_000;
const ACK = "CB:ack,class:message";

export interface Sending {
  socket: WASocket;
  jid: string;
  content: AnyMessageContent;
  key: string;
  quoted: WAMessage | undefined;
}

/**
 * Sends, and waits until WhatsApp says that it has it: Baileys' promise is fulfilled when the message was written to the socket.
 * The id is made of the key, so that a message that is seen twice is one.
 */
export async function send({ socket, jid, content, key, quoted }: Sending): Promise<string> {
  const id = idOf(key);
  const taken = acknowledged(socket, id);
  try {
    await socket.sendMessage(jid, content, { messageId: id, ...(quoted !== undefined && { quoted }) });
  } catch (error) {
    taken.cancel();
    // What could not be encrypted or uploaded was not sent; what broke on the way to the socket may have been.
    throw new SendError(socket.ws.isOpen ? "refused" : "unknown", reasonOf(error), { cause: error });
  }
  await taken.done;
  return id;
}

function acknowledged(socket: WASocket, id: string): { done: Promise<void>; cancel(): void } {
  let finish: (error?: SendError) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => finish(unknown("WhatsApp does not say whether it has the message")),
      PATIENCE_MS,
    );
    const onAck = (node: unknown) => {
      const attributes = isObject(node) && isObject(node["attrs"]) ? node["attrs"] : {};
      if (attributes["id"] !== id) return;
      const { error } = attributes;
      finish(
        typeof error === "string" ? new SendError("refused", `WhatsApp refuses it (${error})`) : undefined,
      );
    };
    const onClose = () =>
      finish(unknown("the connection was lost before WhatsApp said whether it has the message"));
    finish = (error) => {
      clearTimeout(timer);
      socket.ws.off(ACK, onAck);
      socket.ws.off("close", onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    socket.ws.on(ACK, onAck);
    socket.ws.on("close", onClose);
  });
  // Whoever cancels has another error to tell.
  done.catch(() => undefined);
  return { done, cancel: () => finish() };
}

function unknown(why: string): SendError {
  return new SendError("unknown", why);
}

/** Looks like those of WhatsApp's own clients. */
function idOf(key: string): string {
  return `3EB0${createHash("sha256").update(key).digest("hex").slice(0, 18).toUpperCase()}`;
}

/** A file as Baileys wants it, by what it is. */
export function fileContent(
  { bytes, mimeType = "application/octet-stream", name }: Media,
  caption: string,
): AnyMessageContent {
  const file = Buffer.from(bytes);
  const said = caption === "" ? {} : { caption };
  const [family] = mimeType.split("/");
  switch (family) {
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
