import { ERROR_CODES } from "../protocol.js";
import type { JsonRpcFailure } from "../wire.js";

interface RpcErrorOptions {
  data?: unknown;
  /** The HTTP status of a modern answer (default: 200). */
  status?: number;
}

/** A JSON-RPC error that answers a request. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  readonly status: number;

  constructor(code: keyof typeof ERROR_CODES, message: string, { data, status = 200 }: RpcErrorOptions = {}) {
    super(message);
    this.code = ERROR_CODES[code];
    this.data = data;
    this.status = status;
  }
}

/** The error as a message; null if the request's id could not be read. */
export function failureMessage(
  id: string | number | null,
  { code, message, data }: RpcError,
): JsonRpcFailure {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
