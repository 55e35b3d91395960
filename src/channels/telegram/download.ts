import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { fetchFile } from "../fetch-file.js";
import { reasonOf } from "../network-failure.js";
import { tooLarge } from "../read-body.js";
import type { Attachment } from "../types.js";
import type { Call } from "./client.js";

export interface FileSource {
  call: Call;
  fetch: typeof fetch;
  /** `https://api.telegram.org/file/bot123:ABC`: never shown. */
  root: string;
  signal: AbortSignal;
  scrub(text: string): string;
}

/** Downloads an attachment, up to a size limit. */
export async function download(
  source: FileSource,
  { handle }: Attachment,
  mostBytes: number,
): Promise<{ bytes: Uint8Array }> {
  try {
    const file = await source.call("getFile", { file_id: handle });
    if (!isObject(file) || typeof file["file_path"] !== "string") {
      throw new DragomanError("channel/no-file", "Telegram returned no path for the file");
    }
    if (Number(file["file_size"]) > mostBytes) throw tooLarge(mostBytes);
    const url = `${source.root}/${file["file_path"]}`;
    return await fetchFile({ ...source, url, mostBytes });
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError(
      "channel/no-file",
      source.scrub(`could not download the file: ${reasonOf(error)}`),
    );
  }
}
