import { META } from "../protocol.js";
import type { JsonRpcFailure, JsonRpcNotification, JsonRpcRequest, JsonRpcResult } from "../wire.js";
import { callTool } from "./call-tool.js";
import { checkModern, isModern, type McpHeaders, negotiated, SUPPORTED_VERSIONS } from "./request-version.js";
import { failureMessage, RpcError } from "./rpc-error.js";
import type { McpService, ServedTool } from "./served-tool.js";

/** One request in progress. */
export interface Exchange {
  /** Aborts when the client cancels the request. */
  signal: AbortSignal;
  /** Sends a message that belongs to the request, before its answer. */
  notify(notification: JsonRpcNotification): void;
  /** The headers of an HTTP request. */
  headers?: McpHeaders;
}

/** The answer to a request, and its HTTP status. */
export interface Answer {
  message: JsonRpcResult | JsonRpcFailure;
  status: number;
}

type Method = (service: McpService, request: JsonRpcRequest, exchange: Exchange) => object | Promise<object>;

/** How long clients may keep a list. It depends on the token and changes with the configuration. */
const CACHING = { ttlMs: 60_000, cacheScope: "private" };

const capabilities = { tools: {} };

const legacyMethods = new Map<string, Method>([
  [
    "initialize",
    ({ info, instructions }, { params = {} }) => ({
      protocolVersion: negotiated(params["protocolVersion"]),
      capabilities,
      serverInfo: info,
      instructions,
    }),
  ],
  ["ping", () => ({})],
  ["tools/list", listTools],
  ["tools/call", callTool],
]);

const modernMethods = new Map<string, Method>([
  [
    "server/discover",
    ({ instructions }) => ({
      supportedVersions: SUPPORTED_VERSIONS,
      capabilities,
      instructions,
      ...CACHING,
    }),
  ],
  ["tools/list", (service, request) => ({ ...listTools(service, request), ...CACHING })],
  ["tools/call", callTool],
]);

/**
 * Answers a request in the era that it was written in. Tool failures are results; other problems are JSON-RPC errors.
 *
 * @example
 * const { message } = await answerRequest(service, request, { signal, notify });
 */
export async function answerRequest(
  service: McpService,
  request: JsonRpcRequest,
  exchange: Exchange,
): Promise<Answer> {
  const { id } = request;
  try {
    return {
      message: { jsonrpc: "2.0", id, result: await resultFor(service, request, exchange) },
      status: 200,
    };
  } catch (error) {
    const failure = error instanceof RpcError ? error : internal(service.explain(error));
    return { message: failureMessage(id, failure), status: failure.status };
  }
}

async function resultFor(
  service: McpService,
  request: JsonRpcRequest,
  exchange: Exchange,
): Promise<Record<string, unknown>> {
  if (!isModern(request, exchange.headers)) {
    return { ...(await methodIn(legacyMethods, request, 200)(service, request, exchange)) };
  }
  checkModern(request, exchange.headers);
  const result = await methodIn(modernMethods, request, 404)(service, request, exchange);
  return { ...result, resultType: "complete", _meta: { [META.serverInfo]: service.info } };
}

function methodIn(methods: ReadonlyMap<string, Method>, { method }: JsonRpcRequest, status: number): Method {
  const found = methods.get(method);
  if (found !== undefined) return found;
  throw new RpcError("noMethod", `there is no method ${JSON.stringify(method)}`, { status });
}

function listTools({ tools }: McpService, { params = {} }: JsonRpcRequest): { tools: object[] } {
  if (params["cursor"] !== undefined) {
    throw new RpcError("invalidParams", "unknown cursor: the list of tools has one page");
  }
  return { tools: tools.map(toolEntry) };
}

function toolEntry({ name, title, description, parameters, result, readOnly }: ServedTool): object {
  return {
    name,
    title,
    description,
    inputSchema: parameters,
    ...(result === undefined ? {} : { outputSchema: result }),
    annotations: { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: !readOnly },
  };
}

function internal(text: string): RpcError {
  return new RpcError("internal", text);
}
