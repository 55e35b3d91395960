import type { ReplyPayload } from "../../core/types.js";
import { native } from "../checks.js";
import type { Outgoing, Place } from "../types.js";
import type { WebhookOutput } from "./wire.js";

/** An answer, in one request of any length. Files of our own take one more each, for they are sent with it whole. */
export function outgoing(payload: ReplyPayload, { kind, chat, thread }: Place): Outgoing<WebhookOutput>[] {
  const { mediaUrl, mediaUrls = [], ...said } = payload;
  const urls = [...new Set([...(mediaUrl === undefined ? [] : [mediaUrl]), ...mediaUrls])];
  const links = urls.filter(isLink);
  const files = urls.filter((url) => !isLink(url));
  const place = { kind, chat, ...(thread === undefined ? {} : { thread }) };
  const request = (part: ReplyPayload) => native.parse("WebhookOutput", { place, payload: part });
  const words = { ...said, ...(links.length === 0 ? {} : { mediaUrls: links }) };
  const isEmpty = (said.text ?? "") === "" && links.length === 0;
  return [
    ...(isEmpty ? [] : [{ native: request(words) }]),
    ...files.map((url) => ({ native: request({}), mediaUrl: url })),
  ];
}

function isLink(url: string): boolean {
  return /^https?:\/\//.test(url);
}
