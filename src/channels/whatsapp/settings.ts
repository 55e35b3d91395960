import { type Static, Type } from "@sinclair/typebox";
import { account, optional } from "../settings.js";

export const Settings = account({
  /** Its number, digits only, with the country's: it is linked with a code to type then, not with one to scan. */
  phone: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{6,14}$" })),
  /** Another address of WhatsApp's socket. */
  socketUrl: optional.text,
});
export type Settings = Static<typeof Settings>;
