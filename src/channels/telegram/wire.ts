import { type Static, Type } from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

/** A message to be sent, in the words of the Bot API's `sendMessage`; with a file, `text` is its caption. */
export const TelegramOutput = named(
  "TelegramOutput",
  Type.Object({
    text: Type.String(),
    parse_mode: Type.Optional(Type.Unsafe<"Markdown" | "HTML">({ enum: ["Markdown", "HTML"] })),
    reply_to_message_id: Type.Optional(Type.Integer()),
    disable_web_page_preview: Type.Optional(Type.Boolean()),
  }),
);
export type TelegramOutput = Static<typeof TelegramOutput>;
