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
/** Includes uploads. */
const REQUEST_MS = 120_000;
/** The upload limit of an unboosted server. */
export const UPLOAD_BYTES = 10_000_000;

export async function open(options: ChannelOptions<Settings>): Promise<Transport<DiscordOutput>> {
  const { token, apiRoot = API_ROOT } = options.settings;
  if (token === undefined) {
    throw new DragomanError("channel/bad-settings", "the Discord account has no token", {
      hint: "create a bot in Discord's developer portal and set its token with: dragoman channels add discord",
    });
  }
  const { REST, WebSocketManager } = await loadParts();
  const memory = await Memory.load(options.values());
  const closing = new AbortController();
  const { signal } = closing;
  const rest = new REST({
    version: VERSION,
    api: withoutEndingSlashes(apiRoot),
    retries: 0,
    // The outbox decides about retries of sends. Reads wait for the rate limit, up to a minute.
    rejectOnRateLimit: ({ method, retryAfter }) =>
      method.toLowerCase() !== "get" || retryAfter > LONGEST_WAIT_MS,
  }).setToken(token);
  const received = receiveMessages({
    sockets: WebSocketManager,
    rest,
    token,
    memory,
    receive: options.receive,
    choose: options.choose,
    people: options.people,
    onState: options.onState,
    onUnread: options.onUnread,
    now: options.now,
    signal,
  });

  const withDeadline = <T>(request: (ends: AbortSignal) => Promise<T>) => within(signal, REQUEST_MS, request);

  /** After an unknown outcome, sends once more at once: the nonce prevents a duplicate. */
  async function sendTwice(request: (ends: AbortSignal) => ReturnType<REST["post"]>): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      try {
        const message = await withDeadline(request);
        if (isObject(message) && typeof message["id"] === "string") return message["id"];
        throw new SendError("unknown", "unexpected reply from Discord: no message id");
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
      const { content, allowed_mentions, flags, components = [] } = bodyOf(outgoing);
      const path = `${messagesOf(place)}/${id}` as const;
      await sendTwice((ends) =>
        rest.patch(path, { body: { content, allowed_mentions, flags, components }, signal: ends }),
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
        throw new DragomanError(
          "channel/no-file",
          "could not download the file: it is not on Discord's servers",
        );
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

/** Whether a URL is on Discord's file servers, or on the host of `apiRoot`. */
function isDiscordFile(handle: string, apiRoot: string | undefined): boolean {
  if (!URL.canParse(handle)) return false;
  const { protocol, hostname } = new URL(handle);
  if (apiRoot !== undefined && URL.canParse(apiRoot) && new URL(apiRoot).hostname === hostname) return true;
  return protocol === "https:" && FILE_HOSTS.includes(hostname);
}

function messagesOf({ chat, thread }: Chat) {
  return `/channels/${thread ?? chat}/messages` as const;
}

/** For a preview, Discord would request a URL the model wrote, which could leak secrets. */
const SUPPRESS_EMBEDS = 1 << 2;

/** Whatever the model writes, an answer pings no one and shows no link previews. */
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

/** Discord deduplicates messages by nonce for some minutes. A nonce has at most 25 characters. */
function nonceOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 25);
}

async function filesOf(options: ChannelOptions<Settings>, { mediaUrl }: Outgoing<DiscordOutput>) {
  if (mediaUrl === undefined) return [];
  const { bytes, name = "file", mimeType } = await openMedia(options, mediaUrl, UPLOAD_BYTES);
  return [{ name, data: Buffer.from(bytes), ...(mimeType !== undefined && { contentType: mimeType }) }];
}
