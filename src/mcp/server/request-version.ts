import { isObject } from "../../core/json/value.js";
import { decodeHeaderValue } from "../header-value.js";
import {
  eraOf,
  HEADERS,
  LEGACY_VERSION,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
  NAMED_BY,
} from "../protocol.js";
import type { JsonRpcRequest } from "../wire.js";
import { RpcError } from "./rpc-error.js";

/** The protocol versions that the server supports, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS];

/** An HTTP request's headers, in lower case. */
export type McpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A modern request names its version in `_meta`, and over HTTP also in a header. All others are legacy. */
export function isModern({ method, params }: JsonRpcRequest, headers?: McpHeaders): boolean {
  const header = headers?.[HEADERS.version];
  return (
    metaOf(params)[META.version] !== undefined ||
    method === "server/discover" ||
    (typeof header === "string" && eraOf(header) === "modern")
  );
}

export function metaOf(params: JsonRpcRequest["params"]): Readonly<Record<string, unknown>> {
  const meta = params?.["_meta"];
  return isObject(meta) ? meta : {};
}

/** Refuses a modern request whose version, capabilities or headers are wrong. */
export function checkModern(request: JsonRpcRequest, headers?: McpHeaders): void {
  const meta = metaOf(request.params);
  const version = meta[META.version];
  if (typeof version !== "string") throw invalidMeta(META.version, "a protocol version");
  if (headers !== undefined) checkHeaders(request, version, headers);
  if (version !== MODERN_VERSION) throw unsupported(version);
  if (!isObject(meta[META.clientCapabilities])) {
    throw invalidMeta(META.clientCapabilities, "an object, which may be empty");
  }
}

/** Refuses a legacy HTTP request that was negotiated with a version that does not exist. */
export function checkLegacy(headers: McpHeaders): void {
  const version = headers[HEADERS.version];
  if (version === undefined || (typeof version === "string" && LEGACY_VERSIONS.includes(version))) return;
  throw unsupported(String(version));
}

/** The version for the answer to `initialize`: the client's, or the newest that has the handshake. */
export function negotiated(requested: unknown): string {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSION;
}

function checkHeaders({ method, params = {} }: JsonRpcRequest, version: string, headers: McpHeaders): void {
  requireHeader(headers, HEADERS.version, version);
  requireHeader(headers, HEADERS.method, method);
  const name = params[NAMED_BY[method] ?? ""];
  if (typeof name === "string") requireHeader(headers, HEADERS.name, name, decodeHeaderValue);
}

function requireHeader(
  headers: McpHeaders,
  name: string,
  expected: string,
  decode: (value: string) => string | undefined = (value) => value,
): void {
  const value = headers[name];
  if (typeof value === "string" && decode(value) === expected) return;
  const problem = value === undefined ? "is missing" : `is ${JSON.stringify(value)}`;
  throw new RpcError(
    "headerMismatch",
    `the header ${name} ${problem}, but the body has ${JSON.stringify(expected)}`,
    {
      status: 400,
    },
  );
}

function unsupported(requested: string): RpcError {
  return new RpcError("unsupportedVersion", `unsupported protocol version ${JSON.stringify(requested)}`, {
    data: { supported: SUPPORTED_VERSIONS, requested },
    status: 400,
  });
}

function invalidMeta(field: string, expected: string): RpcError {
  return new RpcError("invalidParams", `params._meta["${field}"] must be ${expected}`, { status: 400 });
}
