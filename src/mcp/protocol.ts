import { JSON_RPC_CODES } from "../core/json/json-rpc-codes.js";

/** The first revision without a handshake: every request names its version and its capabilities. */
export const MODERN_VERSION = "2026-07-28";

/** The newest revision with the `initialize` handshake. */
export const LEGACY_VERSION = "2025-11-25";

/** Every revision with the handshake, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  LEGACY_VERSION,
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** `legacy` starts with the `initialize` handshake, `modern` has none. */
export type Era = "modern" | "legacy";

/** Revisions are dates, so they can be compared as text. */
export function eraOf(version: string): Era {
  return version >= MODERN_VERSION ? "modern" : "legacy";
}

/** The error codes of JSON-RPC and of MCP. */
export const ERROR_CODES = {
  ...JSON_RPC_CODES,
  /** Legacy; modern servers answer `invalidParams`. */
  noResource: -32002,
  /** Modern: a header differs from the body. */
  headerMismatch: -32020,
  /** Modern: the request needs a capability that the client did not declare. */
  missingCapability: -32021,
  /** Modern: the server does not support the version; `data.supported` lists those it does. */
  unsupportedVersion: -32022,
  /** Legacy: the person has to open URLs first; `data.elicitations` lists them. */
  urlElicitationRequired: -32042,
} as const;

/** The keys of `_meta` that the protocol defines. */
export const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  logLevel: "io.modelcontextprotocol/logLevel",
} as const;

/** The headers of streamable HTTP. */
export const HEADERS = {
  version: "mcp-protocol-version",
  session: "mcp-session-id",
  method: "mcp-method",
  name: "mcp-name",
  /** Followed by the name that a tool's parameter has in `x-mcp-header`. */
  parameter: "mcp-param-",
} as const;

/** The request parameter that a modern request repeats in the `Mcp-Name` header. */
export const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};
