import { type Static, Type } from "@sinclair/typebox";
import { named, ref } from "../../core/schema/build.js";
import { OpenClawMessage, ReplyPayload } from "../../core/schema/index.js";

const id = Type.String({ pattern: "^[^\\p{Cc}]{1,256}$" });
/** `data:image/png;base64,…`, or `https://…`, which is fetched only from hosts that the settings name. */
const link = Type.String({ pattern: "^(data:|https://)" });

/** What is posted to us: a message, and what else has to be known of it. */
export const WebhookInput = named(
  "WebhookInput",
  Type.Object({
    ...OpenClawMessage.properties,
    From: id,
    To: id,
    MessageId: id,
    MediaUrl: Type.Optional(link),
    /** What the sender is called. It is shown, and proves nothing. */
    SenderName: Type.Optional(Type.String()),
    /** What the message of `ReplyToId` says. It is shown as a quotation. */
    ReplyToText: Type.Optional(Type.String()),
    /** In a group: it is meant for us. */
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

/** What we post, but for its id, its place and files of ours. */
export const WebhookOutput = named("WebhookOutput", Type.Object({ payload: ref(ReplyPayload) }));
export type WebhookOutput = Static<typeof WebhookOutput>;
