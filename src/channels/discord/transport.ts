import { createHash } from "node:crypto";
import type { REST } from "@discordjs/rest";
import { withoutEndingSlashes } from "../../core/api/base-url.js";
import { within } from "../../core/async/deadline.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { fetchFile } from "../fetch-file.js";
import { openMedia } from "../sent-files.js";
import { type ChannelOptions, type Chat, type Outgoing, SendError, type Transport } from "../types.js";
import { loadParts } from "./client.js";
import { sendError } from "./failure.js";
import { Memory } from "./memory.js";
import { receiveMessages } from "./receive.js";
import type { Settings } from "./settings.js";
import { API_ROOT } from "./verify.js";
import type { DiscordOutput } from "./wire.js";

const VERSION = "10";
const LONGEST_WAIT_MS = 60_000;
/** With files, of which the client ends each attempt long before. */
const REQUEST_MS = 120_000;
/** What a bot may upload where nobody pays for more. */
export const UPLOAD_BYTES = 10_000_000;

export async function open(options: ChannelOptions<Settings>): Promise<Transport<DiscordOutput>> {
  const { token, apiRoot = API_ROOT } = options.settings;
  if (token === undefined) {
    throw new DragomanError("channel/bad-settings", "a Discord bot needs a token", {
      hint: "make a bot in Discord's developer portal, and set its token with: dragoman channels add discord",
    });
  }
  const { REST, WebSocketManager } = await loadParts();
  const memory = await Memory.load(options.folder);
  const closing = new AbortController();
  const { signal } = closing;
  const rest = new REST({
    version: VERSION,
    api: withoutEndingSlashes(apiRoot),
    retries: 0,
    // The outbox decides when a message is sent again. Questions wait for their turn, unless it is far away.
    rejectOnRateLimit: ({ method, retryAfter }) =>
      method.toLowerCase() !== "get" || retryAfter > LONGEST_WAIT_MS,
  }).setToken(token);
  const received = receiveMessages({
    sockets: WebSocketManager,
    rest,
    token,
    memory,
    receive: options.receive,
    people: options.people,
    onState: options.onState,
    onUnread: options.onUnread,
    now: options.now,
    signal,
  });

  const withDeadline = <T>(request: (ends: AbortSignal) => Promise<T>) => within(signal, REQUEST_MS, request);

  /** Thanks to the nonce, what may have been taken can be sent again right away, and then we know. */
  async function sendTwice(request: (ends: AbortSignal) => ReturnType<REST["post"]>): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      try {
        const message = await withDeadline(request);
        if (isObject(message) && typeof message["id"] === "string") return message["id"];
        throw new SendError("unknown", "Discord does not say under which id it took the message");
      } catch (error) {
        const failure = sendError(error);
        if (failure.fate !== "unknown" || attempt > 0) throw failure;
      }
    }
  }

  return {
    send: async (place, outgoing, key) => {
      const files = await filesOf(options, outgoing);
      const body = { ...bodyOf(outgoing), nonce: nonceOf(key), enforce_nonce: true };
      return { id: await sendTwice((ends) => rest.post(messagesOf(place), { body, files, signal: ends })) };
    },
    edit: async (place, id, outgoing) => {
      const { content, allowed_mentions, flags } = bodyOf(outgoing);
      const path = `${messagesOf(place)}/${id}` as const;
      await sendTwice((ends) =>
        rest.patch(path, { body: { content, allowed_mentions, flags }, signal: ends }),
      );
    },
    typing: async ({ chat, thread }) => {
      const path = `/channels/${thread ?? chat}/typing` as const;
      await withDeadline((ends) => rest.post(path, { signal: ends })).catch((error: unknown) => {
        throw sendError(error);
      });
    },
    fetch: async ({ handle }, mostBytes) => {
      if (!isDiscordFile(handle, options.settings.apiRoot)) {
        throw new DragomanError("channel/no-file", "the file cannot be fetched: it is not with Discord");
      }
      return fetchFile({ url: handle, fetch: options.fetch, signal, mostBytes });
    },
    close: async () => {
      closing.abort();
      await received;
      await memory.save();
      rest.clearHandlerSweeper();
      rest.clearHashSweeper();
    },
  };
}

const FILE_HOSTS: readonly string[] = ["cdn.discordapp.com", "media.discordapp.net"];

/** Whether an address leads to Discord's own files, or to those of the server that stands in for it. */
function isDiscordFile(handle: string, apiRoot: string | undefined): boolean {
  if (!URL.canParse(handle)) return false;
  const { protocol, hostname } = new URL(handle);
  if (apiRoot !== undefined && URL.canParse(apiRoot) && new URL(apiRoot).hostname === hostname) return true;
  return protocol === "https:" && FILE_HOSTS.includes(hostname);
}

function messagesOf({ chat, thread }: Chat) {
  return `/channels/${thread ?? chat}/messages` as const;
}

/** Discord fetches what it shows a preview of, and an address can carry secrets away. */
const SUPPRESS_EMBEDS = 1 << 2;

/** Nobody is called by an answer, and nothing is fetched, whatever a model writes. */
function bodyOf({ native }: Outgoing<DiscordOutput>) {
  const { message_reference: reference, ...rest } = native;
  return {
    ...rest,
    ...(reference !== undefined && {
      message_reference: { ...reference, fail_if_not_exists: false },
    }),
    allowed_mentions: { parse: [], replied_user: false },
    flags: SUPPRESS_EMBEDS,
  };
}

/** Discord knows a message again by its nonce for some minutes, and takes it once. A nonce has 25 characters at most. */
function nonceOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 25);
}

async function filesOf(options: ChannelOptions<Settings>, { mediaUrl }: Outgoing<DiscordOutput>) {
  if (mediaUrl === undefined) return [];
  const { bytes, name = "file", mimeType } = await openMedia(options, mediaUrl, UPLOAD_BYTES);
  return [{ name, data: Buffer.from(bytes), ...(mimeType !== undefined && { contentType: mimeType }) }];
}
