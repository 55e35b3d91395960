import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { badRequest, refuse, tooLarge } from "../refusals.js";
import { RefusedError } from "../types.js";
import { boundedJson } from "./bounded-json.js";
import type { ByteBudget } from "./byte-budget.js";

/** A request's body as JSON; refused if it is too large, cut off or not JSON. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<unknown> {
  return boundedJson(decode(await readBytes(request, response, limit)));
}

/**
 * A request's body; refused if it is too large, cut off or compressed, or if the budget is used up. Its bytes count until the
 * response is closed.
 */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  budget?: ByteBudget,
): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new RefusedError({
      status: 415,
      reason: "invalid_request",
      message: `the body is encoded with ${encoding}; send it without encoding`,
    });
  }
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  // Only now, when the sender is known to be allowed to send a body.
  if (request.headers.expect !== undefined) response.writeContinue();
  let reserved = 0;
  response.once("close", () => budget?.release(reserved));
  return collect(request, limit, (bytes) => {
    if (budget?.reserve(bytes) === false) return false;
    reserved += bytes;
    return true;
  });
}

function collect(
  request: IncomingMessage,
  limit: number,
  reserve: (bytes: number) => boolean,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let refused = false;
    const refuseBody = (error: RefusedError) => {
      refused = true;
      chunks.length = 0;
      reject(error);
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (refused) return;
      if (size > limit) refuseBody(tooLarge(limit));
      else if (reserve(chunk.length)) chunks.push(chunk);
      else refuseBody(busy());
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(badRequest("the body was cut off"));
    });
  });
}

function busy(): RefusedError {
  return refuse("service_unavailable", "too many large requests at the same time; try again", {
    headers: { "retry-after": "1" },
  });
}

/** A byte order mark is not part of the text. */
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest("the body is not UTF-8");
  const text = bytes.toString();
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
