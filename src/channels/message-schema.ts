import { type Static, type TSchema, Type } from "@sinclair/typebox";
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

/** Where people talk on a platform, and where answers go. */
export const Chat = named(
  "Chat",
  Type.Object({
    kind: oneOf(["direct", "group", "channel"]),
    /** As the platform writes it: `-1001234567890`, `4915112345678@s.whatsapp.net`. Its case matters. */
    chat: Type.String(),
    /** A thread, or a topic of a forum. */
    thread: text,
  }),
);
export type Chat = Static<typeof Chat>;

/** Somebody on a platform. The id is the platform's; the name is what they call themselves, and proves nothing. */
const Person = Type.Object({
  id: Type.String(),
  /** Other ids of the same person, where the platform has several. */
  otherIds: Type.Optional(list(Type.String())),
  name: text,
  /** Other names that people mention the same account by, such as the user name beside the one that is shown. */
  otherNames: Type.Optional(list(Type.String())),
});
export type Person = Static<typeof Person>;

/** A file that came with a message, not fetched yet. */
const Attachment = Type.Object({
  kind: oneOf(["image", "audio", "video", "document"]),
  /** What the platform needs to hand it out; meaningless to everybody else. */
  handle: Type.String(),
  /** As the sender says. What it really is shows when it is fetched. */
  mimeType: text,
  name: text,
  bytes: Type.Optional(Type.Number()),
});
export type Attachment = Static<typeof Attachment>;

/** A native message, normalised: what it says, and what has to be known to decide whether it is answered. */
export const Inbound = Type.Object({
  message: Type.Unsafe<OpenClawMessage>(ref(MessageSchema)),
  /** What the platform calls it; the same message delivered again has the same one. */
  id: Type.String(),
  /** The bot that the ids of this chat are for, where another bot in the same chat would get the same ids for other messages. */
  idScope: text,
  place: ref(Chat),
  sender: Person,
  attachments: list(Attachment),
  /** The bot is named in it, or it answers something the bot said. */
  addressed: Type.Boolean(),
  /** Messages with the same album are one. */
  album: text,
  /** The number of its messages, where the platform tells: it waits for them. */
  albumSize: Type.Optional(Type.Number()),
  /** It replaces what was said before under this id. */
  edits: text,
  /** It was listed after a break: if the message that it edits was never received, it is that message. */
  missed: Type.Optional(Type.Literal(true)),
});
export type Inbound = Static<typeof Inbound>;
