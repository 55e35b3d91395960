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

/** A file that came with a message, if it is not larger than that. */
export async function download(
  source: FileSource,
  { handle }: Attachment,
  mostBytes: number,
): Promise<{ bytes: Uint8Array }> {
  try {
    const file = await source.call("getFile", { file_id: handle });
    if (!isObject(file) || typeof file["file_path"] !== "string") {
      throw new DragomanError("channel/no-file", "Telegram does not hand out the file");
    }
    if (Number(file["file_size"]) > mostBytes) throw tooLarge(mostBytes);
    const url = `${source.root}/${file["file_path"]}`;
    return await fetchFile({ ...source, url, mostBytes });
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError(
      "channel/no-file",
      source.scrub(`the file cannot be fetched: ${reasonOf(error)}`),
    );
  }
}
