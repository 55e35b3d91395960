import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { HttpReply } from "../types.js";

/** What every answer says to a browser: nothing here is to be guessed at, framed, kept or told to others. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Sends a reply. Fulfilled when all of it is on its way, or the client has gone. */
export async function writeReply(
  response: ServerResponse,
  { status, headers = {}, json, body, stream }: HttpReply,
  gone: AbortSignal,
  stallMs: number,
): Promise<void> {
  response.statusCode = status;
  if (json !== undefined) response.setHeader("content-type", "application/json; charset=utf-8");
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (stream !== undefined) {
    response.flushHeaders();
    await writeStream(response, stream, gone, stallMs);
    return;
  }
  const bytes = json === undefined ? body : JSON.stringify(json);
  if (bytes !== undefined) response.setHeader("content-length", Buffer.byteLength(bytes));
  response.end(bytes);
}

/** Asks for a piece when the one before it was taken. A client that takes nothing for too long is one that has gone. */
async function writeStream(
  response: ServerResponse,
  stream: AsyncIterable<string | Uint8Array>,
  gone: AbortSignal,
  stallMs: number,
): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]();
  const left = new Promise<undefined>((resolve) => {
    gone.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    while (!gone.aborted) {
      const next = await Promise.race([pieces.next(), left]);
      if (next === undefined) return;
      if (next.done === true) {
        response.end();
        return;
      }
      if (!response.write(next.value)) await drained(response, gone, stallMs);
    }
  } finally {
    // It may be waiting for something that never comes; the signal it was given tells it to stop.
    void Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}

async function drained(response: ServerResponse, gone: AbortSignal, stallMs: number): Promise<void> {
  const stalled = setTimeout(() => response.destroy(), stallMs);
  try {
    await once(response, "drain", { signal: gone });
  } catch (error) {
    if (!gone.aborted) throw error;
  } finally {
    clearTimeout(stalled);
  }
}
