import { DragomanError, wordsOf } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { mcp } from "../checks.js";
import {
  ERROR_CODES,
  type Era,
  eraOf,
  LEGACY_VERSION,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
} from "../protocol.js";
import type { McpImplementation, McpServerCapabilities } from "../wire.js";
import { type Connection, ServerError } from "./connection.js";

/** What the start of a connection has found out about the server. */
export interface Agreement {
  era: Era;
  version: string;
  capabilities: McpServerCapabilities;
  server?: McpImplementation;
  instructions?: string;
}

export interface Proposal {
  /** `auto` finds out which era the server speaks. */
  era: Era | "auto";
  client: McpImplementation;
  capabilities: object;
}

/** How long a server may take to start: the first start can download a package. */
const START_MS = 60_000;

/** How long a server of an unknown era may take to answer what it may not know. */
const PROBE_MS = 10_000;

/**
 * Agrees with the server on a version. `auto` asks an HTTP server for its versions first, because every server answers that. A
 * process is greeted with the handshake first: most know only that, and some never answer an unknown request.
 */
export async function negotiate(connection: Connection, proposal: Proposal): Promise<Agreement> {
  const { era } = proposal;
  if (era === "modern") return discover(connection, proposal);
  if (era === "legacy") return initialize(connection, proposal);
  const attempts =
    connection.kind === "http" ? ([discover, initialize] as const) : ([initialize, discover] as const);
  const [first, second] = attempts;
  try {
    return await first(connection, proposal);
  } catch (error) {
    if (!mayBeOtherEra(error)) throw error;
    try {
      return await second(connection, proposal);
    } catch (other) {
      // The error of the second attempt says more, unless the server only does not know its method.
      throw isUnknownMethod(other) ? error : other;
    }
  }
}

/** A server of the other era can answer anything but "I am not there" and "you may not". */
function mayBeOtherEra(error: unknown): boolean {
  if (error instanceof ServerError) return true;
  if (!(error instanceof DragomanError)) return false;
  if (error.code === "mcp/unavailable") return error.details?.["status"] !== undefined;
  return error.code === "mcp/bad-message" || error.code === "mcp/timeout";
}

function isUnknownMethod(error: unknown): boolean {
  return error instanceof ServerError && error.error.code === ERROR_CODES.noMethod;
}

async function discover(connection: Connection, { client, capabilities, era }: Proposal): Promise<Agreement> {
  connection.envelope = {
    [META.version]: MODERN_VERSION,
    [META.clientInfo]: client,
    [META.clientCapabilities]: capabilities,
  };
  connection.cancelsByClosing = true;
  try {
    const ask = () =>
      connection.request("server/discover", {}, { timeoutMs: era === "auto" ? PROBE_MS : START_MS });
    const result = await ask().catch((error: unknown) => {
      if (supportsModern(error)) return ask();
      throw error;
    });
    if (!mcp.is("McpDiscoverResult", result)) throw wrongResult("server/discover", result);
    if (!result.supportedVersions.includes(MODERN_VERSION)) throw noCommonVersion(result.supportedVersions);
    const server = result._meta?.[META.serverInfo];
    connection.begin(MODERN_VERSION);
    return {
      era: "modern",
      version: MODERN_VERSION,
      capabilities: result.capabilities,
      ...(mcp.is("McpImplementation", server) ? { server } : {}),
      ...(result.instructions === undefined ? {} : { instructions: result.instructions }),
    };
  } catch (error) {
    connection.envelope = {};
    connection.cancelsByClosing = false;
    throw error;
  }
}

/** Whether a server that refused the version lists it as supported, such as one that was just upgraded. */
function supportsModern(error: unknown): boolean {
  if (!(error instanceof ServerError) || error.error.code !== ERROR_CODES.unsupportedVersion) return false;
  const { data } = error.error;
  const supported = isObject(data) ? data["supported"] : undefined;
  return Array.isArray(supported) && supported.includes(MODERN_VERSION);
}

async function initialize(connection: Connection, { client, capabilities }: Proposal): Promise<Agreement> {
  const result = await connection.request(
    "initialize",
    { protocolVersion: LEGACY_VERSION, capabilities, clientInfo: client },
    { timeoutMs: START_MS },
  );
  if (!mcp.is("McpInitializeResult", result)) throw wrongResult("initialize", result);
  const { protocolVersion: version, capabilities: offered, serverInfo: server, instructions } = result;
  if (eraOf(version) !== "legacy" || !LEGACY_VERSIONS.includes(version)) throw noCommonVersion([version]);
  await connection.notify("notifications/initialized");
  connection.begin(version);
  return {
    era: "legacy",
    version,
    capabilities: offered,
    server,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function noCommonVersion(offered: readonly string[]): DragomanError {
  return new ServerError({
    code: ERROR_CODES.unsupportedVersion,
    message: `it supports ${offered.join(", ") || "no version"}; supported here are ${[MODERN_VERSION, ...LEGACY_VERSIONS].join(", ")}`,
  });
}

/** An answer that does not have the shape of its method's result. */
export function wrongResult(method: string, result: unknown): DragomanError {
  const shown = isObject(result)
    ? `an object with ${Object.keys(result).join(", ") || "no fields"}`
    : wordsOf(result);
  return new DragomanError("mcp/bad-message", `the answer to ${method} is not valid: ${shown}`);
}
