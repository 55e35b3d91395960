import type { ReplyPayload } from "../../core/types.js";
import { mediaUrlsOf } from "../sent-files.js";
import type { Outgoing } from "../types.js";
import type { WebhookOutput } from "./wire.js";

/** Renders an answer as one request of any length, plus one for each of our own files, which are embedded. */
export function outgoing(payload: ReplyPayload): Outgoing<WebhookOutput>[] {
  const { mediaUrl: _, mediaUrls: __, ...rest } = payload;
  const urls = mediaUrlsOf(payload);
  const links = urls.filter(isLink);
  const files = urls.filter((url) => !isLink(url));
  const isEmpty = (rest.text ?? "").trim() === "" && links.length === 0;
  return [
    ...(isEmpty
      ? []
      : [{ native: { payload: { ...rest, ...(links.length === 0 ? {} : { mediaUrls: links }) } } }]),
    ...files.map((url) => ({ native: { payload: {} }, mediaUrl: url })),
  ];
}

function isLink(url: string): boolean {
  return /^https?:\/\//.test(url);
}
