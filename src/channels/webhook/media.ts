import { DragomanError } from "../../core/error.js";
import { fetchFile } from "../fetch-file.js";
import { tooLarge } from "../read-body.js";
import type { Attachment, Media } from "../types.js";

interface Source {
  fetch: typeof fetch;
  signal: AbortSignal;
  mediaHosts: readonly string[];
}

/** The file behind an attachment: what a data URL holds, or what one of the named hosts gives. */
export async function fetchAttachment(
  { handle }: Attachment,
  mostBytes: number,
  { fetch, signal, mediaHosts }: Source,
): Promise<{ bytes: Uint8Array }> {
  const url = new URL(handle);
  if (url.protocol === "data:") {
    // Four characters are three bytes, so that a larger one need not be decoded.
    if ((handle.length * 3) / 4 > mostBytes + handle.indexOf(",") + 4) throw tooLarge(mostBytes);
  } else if (url.protocol !== "https:" || !mediaHosts.includes(url.host)) {
    throw new DragomanError("channel/no-file", `links to ${url.host} are not fetched`, {
      hint: `name ${url.host} in mediaHosts of the account to allow it`,
    });
  }
  return fetchFile({ url, fetch, signal, mostBytes });
}

/** `data:text/plain;base64,aGk=` */
export function dataUrl({ bytes, mimeType = "application/octet-stream" }: Media): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
}
