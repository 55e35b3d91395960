import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { account, optional } from "../settings.js";

export const Settings = account({
  /** The phone number with country code, digits only: links with a code to type instead of a QR code. */
  phone: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{6,14}$" })),
  /** Another URL for WhatsApp's socket. */
  socketUrl: optional.text,
});
export type Settings = Static<typeof Settings>;
