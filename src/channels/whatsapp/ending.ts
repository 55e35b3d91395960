import { isObject } from "../../core/json/value.js";
import { reasonOf } from "../network-failure.js";
import type { ChannelState } from "../types.js";

const RESTART = 515;

/** Status codes that end the connection for good. */
const endings: Readonly<Record<number, { why: string; hint: string }>> = {
  401: {
    why: "this device was unlinked on the phone",
    hint: "link it again: dragoman channels remove whatsapp --files, then dragoman channels add whatsapp",
  },
  403: { why: "WhatsApp has blocked this account", hint: "open WhatsApp on the phone to see why" },
  411: { why: "the phone does not support linked devices", hint: "update WhatsApp on the phone" },
  440: {
    why: "another program connected with this device's keys",
    hint: "stop it, or link it as a separate device",
  },
};

export interface Ending {
  state: Extract<ChannelState, { state: "stopped" | "waiting" }>;
  /** Reconnect without a pause, as WhatsApp requires after linking. */
  atOnce: boolean;
}

/** Why a connection ended, from Baileys' `lastDisconnect.error`. */
export function endingOf(error: unknown): Ending {
  const output = isObject(error) ? error["output"] : undefined;
  const code = isObject(output) && typeof output["statusCode"] === "number" ? output["statusCode"] : 0;
  const known = endings[code];
  if (known !== undefined) return { state: { state: "stopped", ...known }, atOnce: false };
  return {
    state: { state: "waiting", why: reasonOf(error ?? "the connection ended") },
    atOnce: code === RESTART,
  };
}
