import type { Params } from "../client/schema/index.js";
import type { UserContent, UserMessage } from "../core/types.js";
import { sessionKey } from "../log/key.js";
import { MAIN } from "../runtime/agents.js";

type Inbound = Params<"agent">;

const kinds = { direct: "dm", group: "group", channel: "channel" } as const;
const DEFAULT_CHANNEL = "rpc";
const DEFAULT_ACCOUNT = "default";

/** Seconds of a date after the year 5000 are taken for milliseconds. */
const LARGEST_SECONDS = 100_000_000_000;

/**
 * The conversation a channel's message belongs to: one for each channel, account and person or group, so that nobody reads
 * what was said to somebody else.
 */
export function keyOf({ message, channel = DEFAULT_CHANNEL, accountId = DEFAULT_ACCOUNT, agent }: Inbound) {
  const { ChatType, From, To, MessageThreadId } = message;
  return sessionKey({
    agent: agent ?? MAIN,
    channel: accountId === DEFAULT_ACCOUNT ? channel : `${channel}@${accountId}`,
    kind: kinds[ChatType],
    peer: ChatType === "direct" ? From : To,
    ...(MessageThreadId === undefined ? {} : { thread: { kind: "thread", id: MessageThreadId } }),
  });
}

/** What a channel's message says to the agent: its text and media are the user's words, and nothing else of it is shown. */
export function userMessage({ message, channel, accountId }: Inbound, now: number): UserMessage {
  const { Text = "", MediaUrl, MediaType, ...rest } = message;
  const { From, Timestamp } = rest;
  const media = MediaUrl === undefined ? [] : [mediaBlock(MediaUrl, MediaType)];
  const text: UserContent[] = Text === "" ? [] : [{ type: "text", text: Text }];
  return {
    role: "user",
    content: media.length === 0 ? Text : [...text, ...media],
    sender: From,
    timestamp: Timestamp === undefined ? now : milliseconds(Timestamp),
    ext: {
      inbound: {
        channel: channel ?? DEFAULT_CHANNEL,
        accountId: accountId ?? DEFAULT_ACCOUNT,
        ...rest,
      },
    },
  };
}

/** A channel that delivers a message twice means it once. */
export function onceKey({ message, idempotencyKey }: Inbound): string | undefined {
  return idempotencyKey ?? (message.MessageId === undefined ? undefined : `message:${message.MessageId}`);
}

function mediaBlock(url: string, type: Inbound["message"]["MediaType"]): UserContent {
  switch (type) {
    case "image":
    case "audio":
      return { type, url };
    default:
      return { type: "file", url };
  }
}

function milliseconds(time: number): number {
  return time < LARGEST_SECONDS ? time * 1000 : time;
}
