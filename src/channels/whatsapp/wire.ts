import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

const text = Type.String();
/** Unset protocol buffer fields are null or missing. */
const maybe = {
  text: Type.Optional(Type.Union([text, Type.Null()])),
  boolean: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
};

/** An outgoing message, as in Baileys' `sendMessage`; with a file, `text` is its caption. */
export const WhatsAppOutput = named(
  "WhatsAppOutput",
  Type.Object({
    text: Type.String(),
    quoted: Type.Optional(Type.Object({ key: Type.Object({ remoteJid: text, id: text }) })),
  }),
);
export type WhatsAppOutput = Static<typeof WhatsAppOutput>;

/** The fields we read of a message from Baileys' `messages.upsert`. */
export const WhatsAppMessage = named(
  "WhatsAppMessage",
  Type.Object({
    key: Type.Object({
      remoteJid: text,
      id: text,
      fromMe: maybe.boolean,
      participant: maybe.text,
      /** The same person or chat under their other id: phone number or `…@lid`. */
      remoteJidAlt: maybe.text,
      participantAlt: maybe.text,
    }),
    /** The content, under the name of its kind. */
    message: Type.Optional(Type.Unsafe<Record<string, unknown> | null>({ type: ["object", "null"] })),
    /** Seconds: a number, digits, or a 64-bit integer in two halves. */
    messageTimestamp: Type.Optional(Type.Unknown()),
    pushName: maybe.text,
  }),
);
export type WhatsAppMessage = Static<typeof WhatsAppMessage>;
