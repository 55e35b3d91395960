import type { Static, TSchema } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named, ref } from "../core/schema/build.js";
import { OpenClawMessage as MessageSchema } from "../core/schema/index.js";
import type { OpenClawMessage } from "../core/types.js";

const text = Type.Optional(Type.String());

export function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>({ enum: [...values] });
}

export function list<T extends TSchema>(items: T) {
  return Type.Unsafe<readonly Static<T>[]>(Type.Array(items));
}

/** Where people talk on a platform, and where answers go. Stored records and webhooks call it `place`. */
export const Chat = named(
  "Chat",
  Type.Object({
    kind: oneOf(["direct", "group", "channel"]),
    /** The platform's id: `-1001234567890`, `4915112345678@s.whatsapp.net`. Case-sensitive. */
    chat: Type.String(),
    /** A thread or forum topic. */
    thread: text,
  }),
);
export type Chat = Static<typeof Chat>;

/** A platform user. The id is the platform's; the name is chosen by the user and proves nothing. */
const Person = Type.Object({
  id: Type.String(),
  /** The person's other ids, if the platform has several. */
  otherIds: Type.Optional(list(Type.String())),
  name: text,
  /** Other names used in mentions, such as the user name beside the display name. */
  otherNames: Type.Optional(list(Type.String())),
});
export type Person = Static<typeof Person>;

/** A message's file, not downloaded yet. */
const Attachment = Type.Object({
  kind: oneOf(["image", "audio", "video", "document"]),
  /** The platform's own reference to the file. */
  handle: Type.String(),
  /** As declared by the sender; the bytes decide. */
  mimeType: text,
  name: text,
  bytes: Type.Optional(Type.Number()),
});
export type Attachment = Static<typeof Attachment>;

/** A normalised native message, with what is needed to decide whether to answer it. */
export const Inbound = Type.Object({
  message: Type.Unsafe<OpenClawMessage>(ref(MessageSchema)),
  /** The platform's id; the same message delivered again has the same id. */
  id: Type.String(),
  /** The bot's id, where each bot in a chat numbers the messages separately. */
  idScope: text,
  place: ref(Chat),
  sender: Person,
  attachments: list(Attachment),
  /** It mentions the bot or replies to it. */
  addressed: Type.Boolean(),
  /** Messages with the same album are treated as one. */
  album: text,
  /** The number of messages in the album, if the platform states it; the inbox waits for them. */
  albumSize: Type.Optional(Type.Number()),
  /** The id of the message it replaces. */
  edits: text,
  /** Listed after an outage: if the message it edits was never received, it counts as that message. */
  missed: Type.Optional(Type.Literal(true)),
});
export type Inbound = Static<typeof Inbound>;
