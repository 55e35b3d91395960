import type { Static } from "@sinclair/typebox";
import { account, optional } from "../settings.js";

export const Settings = account({
  /** Signs what is sent and what is received. */
  secret: optional.text,
  /** Where answers are posted. */
  url: optional.text,
  /** Hosts whose `https` links in messages are fetched, such as `cdn.example.com`; no others are. */
  mediaHosts: optional.texts,
});
export type Settings = Static<typeof Settings>;
