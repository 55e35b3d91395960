/** The error codes of JSON-RPC 2.0. Protocols add their own. */
export const JSON_RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  noMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;
