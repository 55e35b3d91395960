import type { ReplyPayload } from "../../core/types.js";
import { mediaUrlsOf } from "../sent-files.js";
import type { Outgoing } from "../types.js";
import type { WebhookOutput } from "./wire.js";

/** An answer as what the webhook channel posts, in one request of any length. Files of our own take one more each, for they are sent with it whole. */
export function outgoing(payload: ReplyPayload): Outgoing<WebhookOutput>[] {
  const { mediaUrl: _, mediaUrls: __, ...said } = payload;
  const urls = mediaUrlsOf(payload);
  const links = urls.filter(isLink);
  const files = urls.filter((url) => !isLink(url));
  const isEmpty = (said.text ?? "").trim() === "" && links.length === 0;
  const words = { ...said, ...(links.length === 0 ? {} : { mediaUrls: links }) };
  return [
    ...(isEmpty ? [] : [{ native: { payload: words } }]),
    ...files.map((url) => ({ native: { payload: {} }, mediaUrl: url })),
  ];
}

function isLink(url: string): boolean {
  return /^https?:\/\//.test(url);
}
