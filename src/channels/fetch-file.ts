import { within } from "../core/async/deadline.js";
import { DragomanError } from "../core/error.js";
import { reasonOf } from "./network-failure.js";
import { readBody } from "./read-body.js";

/** A slow download holds up its chat. */
const TIMEOUT_MS = 120_000;

export interface FileRequest {
  url: string | URL;
  fetch: typeof fetch;
  signal: AbortSignal;
  mostBytes: number;
  patienceMs?: number;
  /** Removes secrets from error messages, such as a token in the URL. */
  scrub?(text: string): string;
}

/** Downloads a message's attachment: complete, without redirects, within a time limit. */
export async function fetchFile(request: FileRequest): Promise<{ bytes: Uint8Array }> {
  const { url, fetch, signal, mostBytes, patienceMs = TIMEOUT_MS, scrub = (text) => text } = request;
  try {
    return await within(signal, patienceMs, async (ends) => {
      // A trusted host must not redirect us to an untrusted one.
      const response = await fetch(url, { redirect: "error", signal: ends });
      return { bytes: await readBody(response, mostBytes) };
    });
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError("channel/no-file", scrub(`could not download the file: ${reasonOf(error)}`));
  }
}
