import { type Static, Type } from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

const text = Type.String();
/** Baileys gives fields of a protocol buffer that are not set as null, or not at all. */
const maybe = {
  text: Type.Optional(Type.Union([text, Type.Null()])),
  boolean: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
};

/** A message to be sent, in the words of Baileys' `sendMessage`; with a file, `text` is its caption. */
export const WhatsAppOutput = named(
  "WhatsAppOutput",
  Type.Object({
    text: Type.String(),
    quoted: Type.Optional(Type.Object({ key: Type.Object({ remoteJid: text, id: text }) })),
  }),
);
export type WhatsAppOutput = Static<typeof WhatsAppOutput>;

/** The part of a message that Baileys' `messages.upsert` gives which says who said it, where and when. */
export const WhatsAppMessage = named(
  "WhatsAppMessage",
  Type.Object({
    key: Type.Object({
      remoteJid: text,
      id: text,
      fromMe: maybe.boolean,
      participant: maybe.text,
      /** The same person or chat by phone number, where the other one is a `…@lid`; or the other way round. */
      remoteJidAlt: maybe.text,
      participantAlt: maybe.text,
    }),
    /** What was said: one of many kinds, under its name. */
    message: Type.Optional(Type.Unsafe<Record<string, unknown> | null>({ type: ["object", "null"] })),
    /** Seconds: a number, text, or a 64-bit integer in two halves. */
    messageTimestamp: Type.Optional(Type.Unknown()),
    pushName: maybe.text,
  }),
);
export type WhatsAppMessage = Static<typeof WhatsAppMessage>;
