import { isObject } from "../../core/json/value.js";
import { reasonOf } from "../network-failure.js";
import type { ChannelState } from "../types.js";

const RESTART = 515;

/** Codes with which WhatsApp ends a connection for good. */
const endings: Readonly<Record<number, { why: string; hint: string }>> = {
  401: {
    why: "the phone has unlinked this device",
    hint: "link it again: dragoman channels remove whatsapp --files, then dragoman channels add whatsapp",
  },
  403: { why: "WhatsApp has locked this account", hint: "look into the app on the phone" },
  411: { why: "this phone links no devices", hint: "update WhatsApp on the phone" },
  440: {
    why: "another program has connected with the keys of this device",
    hint: "stop it, or link a device of its own for it",
  },
};

export interface Ending {
  state: Extract<ChannelState, { state: "stopped" | "waiting" }>;
  /** It connects again without a pause: after a device was linked, WhatsApp wants it so. */
  atOnce: boolean;
}

/** Why a connection is over, from Baileys' `lastDisconnect.error`. */
export function endingOf(error: unknown): Ending {
  const output = isObject(error) ? error["output"] : undefined;
  const code = isObject(output) && typeof output["statusCode"] === "number" ? output["statusCode"] : 0;
  const known = endings[code];
  if (known !== undefined) return { state: { state: "stopped", ...known }, atOnce: false };
  return {
    state: { state: "waiting", why: reasonOf(error ?? "the connection is over") },
    atOnce: code === RESTART,
  };
}
