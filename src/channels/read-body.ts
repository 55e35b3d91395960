import { DragomanError } from "../core/error.js";

/** Reads a response, up to a size limit. */
export async function readBody(response: Response, mostBytes: number): Promise<Uint8Array> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new DragomanError("channel/no-file", `could not download the file (HTTP ${response.status})`);
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

export function tooLarge(mostBytes: number): DragomanError {
  return new DragomanError("channel/file-too-large", `the file is larger than ${mostBytes} bytes`);
}
