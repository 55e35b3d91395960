import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import type { Attachment, Media } from "../types.js";
import type { Call } from "./client.js";
import { within } from "./deadline.js";
import { reasonOf } from "./failure.js";

const DOWNLOAD_MS = 120_000;

export interface FileSource {
  call: Call;
  fetch: typeof fetch;
  /** `https://api.telegram.org/file/bot123:ABC`: never shown. */
  root: string;
  signal: AbortSignal;
  scrub(text: string): string;
}

/** A file that came with a message, if it is not larger than that. */
export async function download(
  source: FileSource,
  { handle, mimeType, name }: Attachment,
  mostBytes: number,
): Promise<Media> {
  try {
    const file = await source.call("getFile", { file_id: handle });
    if (!isObject(file) || typeof file["file_path"] !== "string") {
      throw new DragomanError("channel/no-file", "Telegram does not hand out the file");
    }
    if (Number(file["file_size"]) > mostBytes) throw tooLarge(mostBytes);
    const url = `${source.root}/${file["file_path"]}`;
    const bytes = await within(source.signal, DOWNLOAD_MS, async (signal) =>
      read(await source.fetch(url, { signal }), mostBytes),
    );
    return { bytes, ...(mimeType !== undefined && { mimeType }), ...(name !== undefined && { name }) };
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError(
      "channel/no-file",
      source.scrub(`the file cannot be fetched: ${reasonOf(error)}`),
    );
  }
}

async function read(response: Response, mostBytes: number): Promise<Uint8Array> {
  if (!response.ok || response.body === null) {
    throw new DragomanError("channel/no-file", `Telegram answers ${response.status} when asked for the file`);
  }
  const parts: Uint8Array[] = [];
  let total = 0;
  // Leaving the loop cancels the rest.
  for await (const part of response.body) {
    total += part.length;
    if (total > mostBytes) throw tooLarge(mostBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, total);
}

function tooLarge(mostBytes: number): DragomanError {
  return new DragomanError("channel/file-too-large", `the file has more than ${mostBytes} bytes`);
}
