import { peerOf } from "../log/key.js";
import type { Config } from "./schema.js";

const MINUTE_MS = 60_000;
const SESSION_MINUTES = 24 * 60;
const CHANNEL_MINUTES = 2 * 60;

/** How long a session's permission requests wait: shorter in a chat of a channel, where a late answer has lost its context. */
export function questionExpiryMs({ questions = {} }: Config, key: string | undefined): number {
  const { expireAfterMinutes = SESSION_MINUTES, channelExpireAfterMinutes = CHANNEL_MINUTES } = questions;
  const isChat = key !== undefined && peerOf(key) !== undefined;
  return MINUTE_MS * (isChat ? channelExpireAfterMinutes : expireAfterMinutes);
}
