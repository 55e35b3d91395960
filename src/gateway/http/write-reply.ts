import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { BodyPiece, HttpReply } from "../types.js";
import type { ClientPresence } from "./client-presence.js";

/** Headers of an answer, with lower-case names. */
export type ReplyHeaders = Record<string, string>;

/** In every answer: browsers must not cache, frame, sniff or leak it. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Statuses of answers that have no body, and no length either. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** Waiting for each piece to be sent would double the time that a long answer takes. */
const MAX_UNSENT_BYTES = 256 * 1024;

/** Fulfilled when the whole reply is written, or the client has disconnected. Its own headers replace the given ones. */
export async function writeReply(
  response: ServerResponse,
  { status, headers, json, body, stream }: HttpReply,
  given: Readonly<ReplyHeaders>,
  client: ClientPresence,
  stallMs: number,
): Promise<void> {
  const type = json === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  const sent: ReplyHeaders = { ...given, ...type, ...headers };
  if (stream !== undefined) {
    response.writeHead(status, sent);
    // The first piece is often ready: the headers are sent with it, or in the next turn of the event loop.
    const flushing = setImmediate(() => response.flushHeaders());
    response.once("close", () => clearImmediate(flushing));
    await writeStream(response, stream, client, stallMs);
    return;
  }
  const bytes = json === undefined ? body : JSON.stringify(json);
  if (bytes !== undefined || !BODILESS.has(status))
    sent["content-length"] = String(Buffer.byteLength(bytes ?? ""));
  response.writeHead(status, sent);
  response.end(bytes);
}

/** Requests the next piece when the client has accepted most of the others. Disconnects a client that reads nothing for too long. */
async function writeStream(
  response: ServerResponse,
  stream: AsyncIterable<BodyPiece>,
  client: ClientPresence,
  stallMs: number,
): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]();
  let leave: () => void = () => undefined;
  const unlisten = client.onLeave(() => leave());
  // Not a race with one promise for the whole stream: it would remember every piece until it is fulfilled.
  const nextPiece = () =>
    new Promise<IteratorResult<BodyPiece> | undefined>((resolve, reject) => {
      leave = () => resolve(undefined);
      pieces.next().then(resolve, reject);
    });
  try {
    while (!client.hasLeft) {
      const next = await nextPiece();
      if (next === undefined) return;
      if (next.done === true) {
        response.end();
        return;
      }
      writePiece(response, next.value);
      if (response.writableLength > MAX_UNSENT_BYTES) await drained(response, client.signal, stallMs);
    }
  } finally {
    unlisten();
    // Not awaited: it may be blocked until its signal aborts.
    void Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}

/** Node sends what is written before the next tick, also the end, in one system call. */
function writePiece(response: ServerResponse, piece: BodyPiece): void {
  if (typeof piece === "object" && "byteString" in piece) response.write(piece.byteString, "latin1");
  // Node allocates three times the length of another text that it writes together with others.
  else response.write(typeof piece === "string" ? Buffer.from(piece) : piece);
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
