import { type Static, Type } from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

/** A message to be sent, in the words of Baileys' `sendMessage`; with a file, `text` is its caption. */
export const WhatsAppOutput = named(
  "WhatsAppOutput",
  Type.Object({
    text: Type.String(),
    quoted: Type.Optional(Type.Object({ key: Type.Object({ remoteJid: Type.String(), id: Type.String() }) })),
  }),
);
export type WhatsAppOutput = Static<typeof WhatsAppOutput>;
