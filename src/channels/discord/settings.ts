import type { Static } from "@sinclair/typebox";
import { account, optional } from "../settings.js";

export const Settings = account({
  token: optional.text,
  apiRoot: optional.text,
});
export type Settings = Static<typeof Settings>;
