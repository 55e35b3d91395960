import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { refusalOf } from "../refusals.js";
import { type Refusal, RefusedError } from "../types.js";

/** The version of OpenClaw's gateway protocol that is served. */
export const PROTOCOL_VERSION = 4;

/** An error as the protocol reports it. */
export interface WireError {
  code: "INVALID_REQUEST" | "FORBIDDEN" | "UNAVAILABLE";
  message: string;
  details?: unknown;
  retryable?: boolean;
}

/** `{"type":"req","id":"7","method":"chat.send","params":{…}}` */
export interface RequestFrame {
  id: string;
  method: string;
  params: JsonObject;
}

/** A frame that is not a request: with the id to answer, if it has one. */
export interface BadFrame {
  id: string | undefined;
  error: WireError;
}

export function readRequest(text: string): RequestFrame | BadFrame {
  let frame: unknown;
  try {
    frame = parseJson(text);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return badFrame(undefined, error.message);
  }
  if (!isObject(frame)) return badFrame(undefined, "expected an object");
  const { type, method, params = {} } = frame;
  const id = isString(frame["id"]) && frame["id"] !== "" ? frame["id"] : undefined;
  if (type !== "req") return badFrame(id, 'type must be "req"');
  if (id === undefined) return badFrame(id, "id must be a text");
  if (!isString(method)) return badFrame(id, "method must be a text");
  if (!isObject(params)) return badFrame(id, "params must be an object");
  return { id, method, params };
}

function badFrame(id: string | undefined, why: string): BadFrame {
  return { id, error: { code: "INVALID_REQUEST", message: `invalid request frame: ${why}` } };
}

export function resultFrame(id: string, payload: unknown): string {
  return JSON.stringify({ type: "res", id, ok: true, payload });
}

export function errorFrame(id: string, error: WireError): string {
  return JSON.stringify({ type: "res", id, ok: false, error });
}

/** An event, except for its number on a connection. */
export interface WireEvent {
  event: string;
  payload: object;
}

/** The same event for many connections: only its number differs, so that the payload is written once. */
export function eventFrames({ event, payload }: WireEvent): (seq: number) => string {
  const start = `{"type":"event","event":${JSON.stringify(event)},"payload":${JSON.stringify(payload)},"seq":`;
  return (seq) => `${start}${seq}}`;
}

const codes: Readonly<Record<Refusal["reason"], WireError["code"]>> = {
  invalid_request: "INVALID_REQUEST",
  unauthorized: "INVALID_REQUEST",
  forbidden: "FORBIDDEN",
  not_found: "INVALID_REQUEST",
  conflict: "INVALID_REQUEST",
  too_large: "INVALID_REQUEST",
  rate_limited: "UNAVAILABLE",
  server_error: "UNAVAILABLE",
  service_unavailable: "UNAVAILABLE",
};

/** How an error is reported to the client. */
export function wireError(error: unknown): WireError {
  const { reason, message, details } = refusalOf(error);
  const code = codes[reason];
  return defined({ code, message, details, retryable: code === "UNAVAILABLE" ? true : undefined });
}

/** Whether only the gateway's owner can fix it. */
export function isOurFault(error: unknown): boolean {
  return !(error instanceof RefusedError) && refusalOf(error).reason === "server_error";
}
