import { isObject } from "../../core/json/value.js";
import { neverLeft, reasonOf } from "../network-failure.js";
import { type ChannelState, SendError } from "../types.js";

/** What an error of `@discordjs/rest` says of the fate of what was to be sent. Its classes are not asked for: they are loaded late. */
export function sendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  const afterMs = afterMsOf(error);
  if (afterMs !== undefined) return new SendError("later", "Discord asks for a pause", { afterMs });
  const status = statusOf(error);
  if (status === undefined) return new SendError(neverLeft(error) ? "later" : "unknown", reasonOf(error));
  const why = `Discord says: ${reasonOf(error)}`;
  // The token may be replaced; nothing was taken under the wrong one.
  if (status === 401) return new SendError("later", why);
  return new SendError(status >= 500 ? "unknown" : "refused", why);
}

/** How long Discord asks to wait before the same request is sent again; undefined when it does not. */
export function afterMsOf(error: unknown): number | undefined {
  return isObject(error) && typeof error["retryAfter"] === "number" ? error["retryAfter"] : undefined;
}

export function statusOf(error: unknown): number | undefined {
  return isObject(error) && typeof error["status"] === "number" ? error["status"] : undefined;
}

export const badToken: ChannelState = {
  state: "stopped",
  why: "Discord does not know this token",
  hint: "copy the bot's token from the developer portal, and set it with: dragoman channels add discord",
};

/** Codes with which Discord closes the connection for good. */
const closings: Readonly<Record<number, ChannelState>> = {
  4004: badToken,
  4014: {
    state: "stopped",
    why: "this bot may not read what people write",
    hint: "switch on Message Content Intent under Bot in the developer portal",
  },
  4011: { state: "stopped", why: "this bot is in too many servers for one connection" },
};

/** Undefined where it connects again by itself. */
export function finalStateOf(code: number): ChannelState | undefined {
  return closings[code];
}
