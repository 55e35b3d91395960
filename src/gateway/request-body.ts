import type { IncomingMessage, ServerResponse } from "node:http";
import { boundedJson } from "./bounded-json.js";
import { badRequest, tooLarge } from "./refusals.js";
import { RefusedError } from "./types.js";

/** The body of a request as JSON; refused when it is too large, cut off, or something else. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<unknown> {
  return boundedJson(decode(await readBytes(request, response, limit)));
}

/** The body of a request as it came; refused when it is too large, cut off, or compressed. */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new RefusedError({
      status: 415,
      reason: "invalid_request",
      message: `the body is encoded with ${encoding}; send it as it is`,
    });
  }
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  // Only who may send a body is told to.
  if (request.headers.expect !== undefined) response.writeContinue();
  return collect(request, limit);
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge(limit));
      }
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(badRequest("the body was cut off")));
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badRequest("the body is not UTF-8");
  }
}
