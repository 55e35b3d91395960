import { DragomanError } from "../../core/error.js";
import { reasonOf } from "../network-failure.js";
import { readBody, tooLarge } from "../read-body.js";
import type { Attachment, Media } from "../types.js";

const PATIENCE_MS = 60_000;

interface Source {
  fetch: typeof fetch;
  mediaHosts: readonly string[];
}

/** The file behind an attachment: what a data URL holds, or what one of the named hosts gives. */
export async function fetchAttachment(
  { handle, name }: Attachment,
  mostBytes: number,
  { fetch, mediaHosts }: Source,
): Promise<Media> {
  const url = new URL(handle);
  if (url.protocol === "data:") {
    // Four characters are three bytes, so that a larger one need not be decoded.
    if ((handle.length * 3) / 4 > mostBytes + handle.indexOf(",") + 4) throw tooLarge(mostBytes);
  } else if (url.protocol !== "https:" || !mediaHosts.includes(url.host)) {
    throw new DragomanError("channel/no-file", `links to ${url.host} are not fetched`, {
      hint: `name ${url.host} in mediaHosts of the account to allow it`,
    });
  }
  try {
    // A host that is trusted must not send us to one that is not.
    const response = await fetch(handle, { redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS) });
    const mimeType = response.headers.get("content-type");
    return {
      bytes: await readBody(response, mostBytes),
      ...(mimeType === null ? {} : { mimeType }),
      ...(name === undefined ? {} : { name }),
    };
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError("channel/no-file", `the file cannot be fetched: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** `data:text/plain;base64,aGk=` */
export function dataUrl({ bytes, mimeType = "application/octet-stream" }: Media): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
}
