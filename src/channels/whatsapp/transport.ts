import { join } from "node:path";
import { DragomanError } from "../../core/error.js";
import { reasonOf } from "../network-failure.js";
import { tooLarge } from "../read-body.js";
import type { WhatsAppSettings } from "../settings.js";
import { type Attachment, type ChannelOptions, type Outgoing, SendError, type Transport } from "../types.js";
import { openAuth } from "./auth.js";
import { type Baileys, loadBaileys, silent } from "./client.js";
import { Line } from "./line.js";
import { fileContent, send } from "./send.js";
import type { WhatsAppOutput } from "./wire.js";

/** Larger files WhatsApp takes only as documents. */
const UPLOAD_BYTES = 16_000_000;

export async function open(options: ChannelOptions<WhatsAppSettings>): Promise<Transport<WhatsAppOutput>> {
  const { socketUrl, phone } = options.settings;
  const baileys = await loadBaileys();
  const auth = await openAuth(baileys, join(options.folder, "keys"));
  const { receive, onState, now } = options;
  const line = new Line({ baileys, auth, socketUrl, phone, receive, onState, now });

  function connected() {
    const socket = line.open;
    if (socket === undefined) throw new SendError("later", "WhatsApp is not connected");
    return socket;
  }

  return {
    send: async (place, outgoing, key) => {
      const content = await contentOf(options, outgoing);
      const socket = connected();
      const quoted = line.recent(outgoing.native.quoted?.key.id ?? "");
      return { id: await send({ socket, jid: place.chat, content, key, quoted }) };
    },
    typing: async ({ chat }) => {
      await connected().sendPresenceUpdate("composing", chat);
    },
    fetch: (attachment, mostBytes) => download(baileys, attachment, mostBytes),
    close: () => line.close(),
  };
}

async function contentOf(
  { media }: ChannelOptions<WhatsAppSettings>,
  { native, mediaUrl }: Outgoing<WhatsAppOutput>,
) {
  if (mediaUrl === undefined) return { text: native.text };
  try {
    return fileContent(await media(mediaUrl, UPLOAD_BYTES), native.text);
  } catch (error) {
    throw new SendError("refused", `the file cannot be sent: ${reasonOf(error)}`, { cause: error });
  }
}

/** The handle is the message that the file came with: it says where the file is and how to decrypt it. */
async function download(baileys: Baileys, { handle, bytes, mimeType, name }: Attachment, mostBytes: number) {
  if (bytes !== undefined && bytes > mostBytes) throw tooLarge(mostBytes);
  try {
    const message = JSON.parse(handle, baileys.BufferJSON.reviver);
    const stream = await baileys.downloadMediaMessage(
      { key: {}, message },
      "stream",
      {},
      {
        logger: silent,
        reuploadRequest: () => Promise.reject(new Error("WhatsApp does not have the file any more")),
      },
    );
    const parts: Buffer[] = [];
    let total = 0;
    for await (const part of stream) {
      total += part.length;
      if (total > mostBytes) throw tooLarge(mostBytes);
      parts.push(part);
    }
    return {
      bytes: Buffer.concat(parts, total),
      ...(mimeType !== undefined && { mimeType }),
      ...(name !== undefined && { name }),
    };
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError("channel/no-file", `the file cannot be fetched: ${reasonOf(error)}`);
  }
}
