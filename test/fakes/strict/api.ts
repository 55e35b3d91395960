import type { IncomingHttpHeaders } from "node:http";
import type { StreamPayload } from "../../../src/core/api/provider.js";
import type { JsonObject } from "../../../src/core/json/value.js";
import type { Situation, Turn } from "./script.js";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** A model that thinks, calls tools, and refuses a history that is not the one it made. */
export interface StrictApi {
  /** The model that plays it. */
  model: string;
  /** What is appended to the server's address for the base URL of `connect`. */
  base: string;
  framing: "sse" | "ndjson";
  /** The header that shows the provider's key. */
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  streams(request: Received): boolean;
  /** What the real API says to a request that it refuses. */
  refusal(request: Received): string | undefined;
  error(message: string): JsonObject;
  /** What the model knows when it answers. */
  situation(request: Received): Situation;
  whole(request: Received, turn: Turn): JsonObject;
  stream(request: Received, turn: Turn): readonly StreamPayload[];
}

export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.*)$/.exec(authorization ?? "")?.[1];
}
