import type { AnyMessageContent } from "baileys";
import { DragomanError } from "../../core/error.js";
import { openMedia } from "../sent-files.js";
import { type ChannelOptions, type Outgoing, SendError, type Transport } from "../types.js";
import { openAuth } from "./auth.js";
import { loadBaileys } from "./client.js";
import { Device } from "./device.js";
import { download } from "./download.js";
import { Identities } from "./identities.js";
import { isGroup, isPerson } from "./jid.js";
import { RecentMessages } from "./recent-messages.js";
import { fileContent, send, sendError } from "./send.js";
import type { Settings } from "./settings.js";
import type { WhatsAppOutput } from "./wire.js";

/** WhatsApp accepts larger files only as documents. */
export const UPLOAD_BYTES = 16_000_000;

export async function open(options: ChannelOptions<Settings>): Promise<Transport<WhatsAppOutput>> {
  const { socketUrl, phone } = options.settings;
  if (socketUrl !== undefined && !URL.canParse(socketUrl)) {
    throw new DragomanError("channel/bad-settings", "WhatsApp's socketUrl is not a URL");
  }
  const baileys = await loadBaileys();
  const auth = await openAuth(baileys, options.values("keys"));
  const recent = await RecentMessages.open(baileys, options.values("messages"));
  const identities = await Identities.open(baileys, options.values("people"), auth.state.keys);
  const { receive, onUnread, onState, now } = options;
  const line = new Device({
    baileys,
    auth,
    recent,
    identities,
    socketUrl,
    phone,
    receive,
    onUnread,
    onState,
    now,
  });
  const closing = new AbortController();

  function connected() {
    if (line.connection === undefined) throw new SendError("later", "WhatsApp is not connected");
    return line.connection;
  }

  return {
    send: async ({ chat: jid }, outgoing, key) => {
      // A status, a broadcast or a newsletter would be public.
      if (!isPerson(jid) && !isGroup(jid))
        throw new SendError("refused", `${jid} is not a person or a group`);
      const content = await contentOf(options, outgoing);
      const quoted = await recent.find(outgoing.native.quoted?.key.id ?? "", "theirs");
      const connection = connected();
      const id = await send({ ...connection, jid, content, key, quoted });
      // Answered messages were read. The read receipt may fail.
      connection.socket.readMessages(line.intake.drainUnread(jid)).catch(() => undefined);
      return { id };
    },
    typing: async ({ chat }) => {
      const { socket } = connected();
      await socket.sendPresenceUpdate("composing", chat).catch((error: unknown) => {
        throw sendError(error);
      });
    },
    fetch: (attachment, mostBytes) =>
      download(attachment, { fetch: options.fetch, mostBytes, socketUrl, signal: closing.signal }),
    close: async () => {
      closing.abort();
      await line.close();
    },
  };
}

async function contentOf(
  options: ChannelOptions<Settings>,
  { native, mediaUrl }: Outgoing<WhatsAppOutput>,
): Promise<AnyMessageContent> {
  // Link previews would request URLs the model wrote.
  if (mediaUrl === undefined) return { text: native.text, linkPreview: null };
  return fileContent(await openMedia(options, mediaUrl, UPLOAD_BYTES), native.text);
}
