import { isObject } from "../../core/json/value.js";
import { neverLeft, reasonOf } from "../network-failure.js";
import { type ChannelState, SendError } from "../types.js";

/** What an error of `@discordjs/rest` says about the outcome of a send. Checked by shape, because the package is loaded late. */
export function sendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  const afterMs = afterMsOf(error);
  if (afterMs !== undefined) return new SendError("later", "rate limited by Discord", { afterMs });
  const status = statusOf(error);
  if (status === undefined) return new SendError(neverLeft(error) ? "later" : "unknown", reasonOf(error));
  const why = `Discord replied: ${reasonOf(error)}`;
  // Nothing was sent with the wrong token, and it may be replaced.
  if (status === 401) return new SendError("later", why);
  return new SendError(status >= 500 ? "unknown" : "refused", why);
}

/** The pause Discord requests before a retry, if any. */
export function afterMsOf(error: unknown): number | undefined {
  return isObject(error) && typeof error["retryAfter"] === "number" ? error["retryAfter"] : undefined;
}

export function statusOf(error: unknown): number | undefined {
  return isObject(error) && typeof error["status"] === "number" ? error["status"] : undefined;
}

export const badToken: ChannelState = {
  state: "stopped",
  why: "Discord does not accept this token",
  hint: "copy the bot's token from the developer portal and set it with: dragoman channels add discord",
};

/** Close codes that are final. */
const closings: Readonly<Record<number, ChannelState>> = {
  4004: badToken,
  4014: {
    state: "stopped",
    why: "this bot is not allowed to read messages",
    hint: "turn on Message Content Intent under Bot in the developer portal",
  },
  4011: { state: "stopped", why: "this bot is in too many servers for one connection" },
};

/** Undefined if the client reconnects by itself. */
export function finalStateOf(code: number): ChannelState | undefined {
  return closings[code];
}
