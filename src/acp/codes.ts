import { JSON_RPC_CODES } from "../core/json/json-rpc-codes.js";

/** Error codes of JSON-RPC and of the Agent Client Protocol. */
export const CODES = {
  ...JSON_RPC_CODES,
  notFound: -32002,
  loginRequired: -32000,
} as const;

/** The version that we speak. */
export const PROTOCOL_VERSION = 1;
