import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named, ref } from "../../core/schema/build.js";
import { OpenClawMessage, ReplyPayload } from "../../core/schema/index.js";

const id = Type.String({ pattern: "^[^\\p{Cc}]{1,256}$" });
/** `data:image/png;base64,…`, or `https://…` from a host in the settings. */
const link = Type.String({ pattern: "^(data:|https://)" });

/** A message posted to us. */
export const WebhookInput = named(
  "WebhookInput",
  Type.Object({
    ...OpenClawMessage.properties,
    From: id,
    To: id,
    MessageId: id,
    MediaUrl: Type.Optional(link),
    /** The sender's display name. It proves nothing. */
    SenderName: Type.Optional(Type.String()),
    /** The text of the message `ReplyToId`, shown as a quotation. */
    ReplyToText: Type.Optional(Type.String()),
    /** In a group: whether the message is for the bot. */
    Addressed: Type.Optional(Type.Boolean()),
    Attachments: Type.Optional(
      Type.Array(
        Type.Object({
          Url: link,
          Kind: Type.Optional(
            Type.Unsafe<"image" | "audio" | "video" | "document">({
              enum: ["image", "audio", "video", "document"],
            }),
          ),
          MimeType: Type.Optional(Type.String()),
          Name: Type.Optional(Type.String()),
        }),
        { maxItems: 20 },
      ),
    ),
  }),
);
export type WebhookInput = Static<typeof WebhookInput> & { [field: string]: unknown };

/** What we post, without its id, chat and embedded files. */
export const WebhookOutput = named("WebhookOutput", Type.Object({ payload: ref(ReplyPayload) }));
export type WebhookOutput = Static<typeof WebhookOutput>;
