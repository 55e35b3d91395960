import { JSON_RPC_CODES } from "../../core/json/json-rpc-codes.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import { wire } from "../../protocol/checks.js";
import type { RpcError, RpcRequest } from "../../protocol/schema.js";

/** JSON-RPC's error codes, and ours from its range for servers. */
export const CODES = {
  ...JSON_RPC_CODES,
  forbidden: -32001,
  notFound: -32002,
  conflict: -32003,
  busy: -32004,
  tooLarge: -32005,
  unavailable: -32006,
} as const;

export type Id = string | number | null;

export interface Reply {
  id: Id;
  body: { result: unknown } | { error: RpcError };
}

/** The requests in a frame; an invalid one is already a reply. */
export type ParsedFrame =
  | { kind: "single"; request: RpcRequest | Reply }
  | { kind: "batch"; requests: (RpcRequest | Reply)[] };

/** The largest number of requests in a batch. */
export const MAX_BATCH = 100;

export function readFrame(text: string): ParsedFrame {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "not JSON";
    return { kind: "single", request: refusal(null, CODES.parse, `Parse error: ${why}`) };
  }
  if (!Array.isArray(value)) return { kind: "single", request: readRequest(value) };
  if (value.length === 0) return { kind: "single", request: invalid(null, "an empty batch") };
  if (value.length > MAX_BATCH) {
    return { kind: "single", request: invalid(null, `a batch of more than ${MAX_BATCH} requests`) };
  }
  return { kind: "batch", requests: value.map(readRequest) };
}

function readRequest(value: unknown): RpcRequest | Reply {
  const id = isObject(value) ? value["id"] : undefined;
  // An id that a double cannot represent would come back changed.
  if (typeof id === "number" && Number.isInteger(id) && !Number.isSafeInteger(id)) {
    return invalid(null, "the id is too large to be returned exactly; use a string");
  }
  if (wire.is("RpcRequest", value)) return value;
  const [first] = wire.mismatches("RpcRequest", value);
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return invalid(known, `expected ${first?.expected} at "${first?.at}", found ${first?.found}`);
}

function invalid(id: Id, why: string): Reply {
  return refusal(id, CODES.invalidRequest, `Invalid Request: ${why}`);
}

export function refusal(id: Id, code: number, message: string): Reply {
  return { id, body: { error: { code, message } } };
}

export function isReply(request: RpcRequest | Reply): request is Reply {
  return "body" in request;
}

export function formatReply({ id, body }: Reply): string {
  return JSON.stringify({ jsonrpc: "2.0", id, ...body });
}
