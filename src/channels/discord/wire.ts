import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

const text = Type.String();
const optional = { text: Type.Optional(text), boolean: Type.Optional(Type.Boolean()) };

/** An outgoing message, as in Discord's "create message". */
export const DiscordOutput = named(
  "DiscordOutput",
  Type.Object({
    content: Type.String({ pattern: "^[\\s\\S]{0,2000}$" }),
    message_reference: Type.Optional(Type.Object({ message_id: text, channel_id: text })),
    /** Rows of buttons; an edit without them removes them. */
    components: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.Literal(1),
          components: Type.Array(
            Type.Object({
              type: Type.Literal(2),
              style: Type.Integer({ minimum: 1, maximum: 4 }),
              label: Type.String({ pattern: "^[\\s\\S]{1,80}$" }),
              custom_id: Type.String({ pattern: "^[\\s\\S]{1,100}$" }),
            }),
          ),
        }),
      ),
    ),
  }),
);
export type DiscordOutput = Static<typeof DiscordOutput>;

const User = Type.Object({
  id: text,
  username: text,
  global_name: Type.Optional(Type.Union([text, Type.Null()])),
  bot: optional.boolean,
});

/** The fields we read of an interaction (`INTERACTION_CREATE`): a pressed button. */
export const DiscordInteraction = named(
  "DiscordInteraction",
  Type.Object({
    id: Type.String({ pattern: "^\\d{1,20}$" }),
    /** For the answer; contains no secret of ours. */
    token: Type.String({ pattern: "^[\\w-]+$" }),
    type: Type.Integer(),
    channel_id: optional.text,
    guild_id: optional.text,
    /** In a server. */
    member: Type.Optional(Type.Object({ user: User })),
    /** In a direct chat. */
    user: Type.Optional(User),
    data: Type.Optional(Type.Object({ custom_id: optional.text })),
  }),
);
export type DiscordInteraction = Static<typeof DiscordInteraction>;

const Attachment = Type.Object({
  id: text,
  url: text,
  filename: optional.text,
  content_type: optional.text,
  size: Type.Optional(Type.Number()),
});

const Reference = Type.Object({
  message_id: optional.text,
  channel_id: optional.text,
  /** 1: forwarded; the content is in `message_snapshots`. */
  type: Type.Optional(Type.Integer()),
});

const contentFields = {
  content: text,
  attachments: Type.Optional(Type.Array(Attachment)),
  embeds: Type.Optional(
    Type.Array(Type.Object({ title: optional.text, description: optional.text, url: optional.text })),
  ),
  sticker_items: Type.Optional(Type.Array(Type.Object({ name: text }))),
};

/** The fields we read of a message, from the gateway (`MESSAGE_CREATE`, `MESSAGE_UPDATE`) and from REST. */
export const DiscordMessage = named(
  "DiscordMessage",
  Type.Object({
    id: text,
    channel_id: text,
    guild_id: optional.text,
    type: Type.Integer(),
    author: User,
    webhook_id: optional.text,
    timestamp: text,
    edited_timestamp: Type.Optional(Type.Union([text, Type.Null()])),
    ...contentFields,
    poll: Type.Optional(
      Type.Object({
        question: Type.Object({ text: optional.text }),
        answers: Type.Optional(Type.Array(Type.Object({ poll_media: Type.Object({ text: optional.text }) }))),
      }),
    ),
    mentions: Type.Optional(Type.Array(User)),
    mention_roles: Type.Optional(Type.Array(text)),
    message_reference: Type.Optional(Reference),
    referenced_message: Type.Optional(
      Type.Union([Type.Object({ id: text, author: User, content: optional.text }), Type.Null()]),
    ),
    message_snapshots: Type.Optional(Type.Array(Type.Object({ message: Type.Object(contentFields) }))),
  }),
);
export type DiscordMessage = Static<typeof DiscordMessage>;
