import type { Static } from "@sinclair/typebox";
import { account, optional } from "../settings.js";

export const Settings = account({
  /** Signs requests in both directions. */
  secret: optional.text,
  /** The URL that answers are posted to. */
  url: optional.text,
  /** The only hosts that files linked in messages are downloaded from, such as `cdn.example.com`. */
  mediaHosts: optional.texts,
});
export type Settings = Static<typeof Settings>;
