import type { Static, TSchema } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

/** An outgoing message, as in the Bot API's `sendMessage`; with a file, `text` is its caption. */
export const TelegramOutput = named(
  "TelegramOutput",
  Type.Object({
    text: Type.String(),
    parse_mode: Type.Optional(Type.Unsafe<"Markdown" | "HTML">({ enum: ["Markdown", "HTML"] })),
    reply_to_message_id: Type.Optional(Type.Integer()),
    disable_web_page_preview: Type.Optional(Type.Boolean()),
    /** Buttons below the message; an edit without them removes them. */
    reply_markup: Type.Optional(
      Type.Object({
        inline_keyboard: Type.Array(
          Type.Array(Type.Object({ text: Type.String(), callback_data: Type.String() })),
        ),
      }),
    ),
  }),
);
export type TelegramOutput = Static<typeof TelegramOutput>;

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const list = <T extends TSchema>(item: T) => Type.Optional(Type.Array(item));

const User = Type.Object({
  id: Type.Integer(),
  is_bot: flag,
  first_name: text,
  last_name: text,
  username: text,
});

/** `offset` and `length` count UTF-16 units. */
const Entity = Type.Object({
  type: Type.String(),
  offset: Type.Integer(),
  length: Type.Integer(),
  user: Type.Optional(User),
});

const file = {
  file_id: Type.String(),
  file_size: Type.Optional(Type.Integer()),
  mime_type: text,
  file_name: text,
};
const File = Type.Object(file);
const Photo = Type.Object({ ...file, width: Type.Integer(), height: Type.Integer() });
const Sticker = Type.Object({ ...file, emoji: text, is_animated: flag, is_video: flag });

const Location = Type.Object({ latitude: Type.Number(), longitude: Type.Number() });

const files = {
  photo: list(Photo),
  animation: Type.Optional(File),
  audio: Type.Optional(File),
  document: Type.Optional(File),
  video: Type.Optional(File),
  video_note: Type.Optional(File),
  voice: Type.Optional(File),
  sticker: Type.Optional(Sticker),
};

const content = {
  text,
  entities: list(Entity),
  caption: text,
  caption_entities: list(Entity),
  ...files,
  location: Type.Optional(Location),
  venue: Type.Optional(Type.Object({ title: Type.String(), address: Type.String(), location: Location })),
  contact: Type.Optional(Type.Object({ phone_number: Type.String(), first_name: Type.String() })),
  poll: Type.Optional(
    Type.Object({ question: Type.String(), options: Type.Array(Type.Object({ text: Type.String() })) }),
  ),
  dice: Type.Optional(Type.Object({ emoji: Type.String(), value: Type.Integer() })),
};

const Chat = Type.Object({ id: Type.Integer(), type: Type.String(), title: text, is_forum: flag });

const Message = Type.Object({
  message_id: Type.Integer(),
  date: Type.Integer({ minimum: 0 }),
  chat: Chat,
  from: Type.Optional(User),
  /** The chat that sent the message: a channel, or the group of an anonymous administrator. */
  sender_chat: Type.Optional(Type.Object({ id: Type.Integer(), title: text })),
  via_bot: Type.Optional(User),
  forward_origin: Type.Optional(Type.Unknown()),
  is_topic_message: flag,
  message_thread_id: Type.Optional(Type.Integer()),
  media_group_id: text,
  reply_to_message: Type.Optional(
    Type.Object({
      message_id: Type.Integer(),
      from: Type.Optional(User),
      text,
      entities: list(Entity),
      caption: text,
      caption_entities: list(Entity),
      ...files,
      forum_topic_created: Type.Optional(Type.Unknown()),
    }),
  ),
  quote: Type.Optional(Type.Object({ text: Type.String(), entities: list(Entity) })),
  ...content,
});
export type TelegramMessage = Static<typeof Message>;
export type TelegramEntity = Static<typeof Entity>;

/** The fields we read of an update. */
export const TelegramUpdate = named(
  "TelegramUpdate",
  Type.Object({
    update_id: Type.Integer(),
    message: Type.Optional(Message),
    edited_message: Type.Optional(Message),
    channel_post: Type.Optional(Message),
    edited_channel_post: Type.Optional(Message),
    /** A pressed button. The message may be too old to be included. */
    callback_query: Type.Optional(
      Type.Object({
        id: Type.String(),
        from: User,
        data: text,
        message: Type.Optional(
          Type.Object({
            chat: Chat,
            is_topic_message: flag,
            message_thread_id: Type.Optional(Type.Integer()),
          }),
        ),
      }),
    ),
  }),
);
export type TelegramUpdate = Static<typeof TelegramUpdate>;
