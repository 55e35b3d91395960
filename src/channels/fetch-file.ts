import { within } from "../core/async/deadline.js";
import { DragomanError } from "../core/error.js";
import { reasonOf } from "./network-failure.js";
import { readBody } from "./read-body.js";

/** A file that takes longer than this holds up its chat for no longer. */
const PATIENCE_MS = 120_000;

export interface FileRequest {
  url: string | URL;
  fetch: typeof fetch;
  signal: AbortSignal;
  mostBytes: number;
  patienceMs?: number;
  /** Hides what an error must not show, such as a token in the address. */
  scrub?(text: string): string;
}

/** Fetches a file that came with a message: whole, from the address itself, and in time. */
export async function fetchFile(request: FileRequest): Promise<{ bytes: Uint8Array }> {
  const { url, fetch, signal, mostBytes, patienceMs = PATIENCE_MS, scrub = (text) => text } = request;
  try {
    return await within(signal, patienceMs, async (ends) => {
      // An address that is trusted must not send us to one that is not.
      const response = await fetch(url, { redirect: "error", signal: ends });
      return { bytes: await readBody(response, mostBytes) };
    });
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError("channel/no-file", scrub(`the file cannot be fetched: ${reasonOf(error)}`));
  }
}
