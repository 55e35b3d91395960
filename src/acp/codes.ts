/** Error codes of JSON-RPC and of the Agent Client Protocol. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  noMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32002,
  loginRequired: -32000,
} as const;

/** The version that we speak. */
export const PROTOCOL_VERSION = 1;
