import { DragomanError } from "../../core/error.js";
import { fetchFile } from "../fetch-file.js";
import { tooLarge } from "../read-body.js";
import type { Attachment, Media } from "../types.js";

interface Source {
  fetch: typeof fetch;
  signal: AbortSignal;
  mediaHosts: readonly string[];
}

/** Reads an attachment from a data URL or downloads it from an allowed host. */
export async function fetchAttachment(
  { handle }: Attachment,
  mostBytes: number,
  { fetch, signal, mediaHosts }: Source,
): Promise<{ bytes: Uint8Array }> {
  const url = new URL(handle);
  if (url.protocol === "data:") {
    // Base64 has four characters for three bytes, so a file that is too large need not be decoded.
    if ((handle.length * 3) / 4 > mostBytes + handle.indexOf(",") + 4) throw tooLarge(mostBytes);
  } else if (url.protocol !== "https:" || !mediaHosts.includes(url.host)) {
    throw new DragomanError("channel/no-file", `downloads from ${url.host} are not allowed`, {
      hint: `add ${url.host} to the account's mediaHosts to allow them`,
    });
  }
  return fetchFile({ url, fetch, signal, mostBytes });
}

/** `data:text/plain;base64,aGk=` */
export function dataUrl({ bytes, mimeType = "application/octet-stream" }: Media): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
}
