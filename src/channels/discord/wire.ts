import { type Static, Type } from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

/** A message to be sent, in the words of Discord's "create message". */
export const DiscordOutput = named(
  "DiscordOutput",
  Type.Object({
    content: Type.String(),
    message_reference: Type.Optional(Type.Object({ message_id: Type.String(), channel_id: Type.String() })),
  }),
);
export type DiscordOutput = Static<typeof DiscordOutput>;
