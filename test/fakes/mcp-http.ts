import { MODERN_VERSION } from "../../src/mcp/protocol.js";
import type { TestGateway } from "./gateway.js";

type Json = Record<string, unknown>;

export interface McpReply {
  status: number;
  type: string;
  /** Every message of the reply; the answer is the last one. */
  messages: Json[];
  answer: Json;
}

export interface McpPost {
  token?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The `_meta` of a modern request. */
const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the modern era with its headers. */
export function modern(method: string, params: Json = {}, id: string | number = 1) {
  const { name } = params;
  return {
    body: {
      jsonrpc: "2.0",
      id,
      method,
      params: { ...params, _meta: { ...modernMeta, ...(params["_meta"] ?? {}) } },
    },
    headers: {
      "mcp-protocol-version": MODERN_VERSION,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
  };
}

/** Posts one message to `/mcp` as a client of streamable HTTP does. */
export async function postMcp(gateway: TestGateway, body: unknown, post: McpPost = {}): Promise<McpReply> {
  const response = await gateway.fetch("/mcp", {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...post.headers,
    },
    ...(post.token === undefined ? {} : { token: post.token }),
    ...(post.signal === undefined ? {} : { signal: post.signal }),
  });
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text();
  const messages: Json[] = type.startsWith("text/event-stream")
    ? text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []))
    : text === ""
      ? []
      : [JSON.parse(text)];
  return { status: response.status, type, messages, answer: messages.at(-1) ?? {} };
}

/** The result of a modern tool call. */
export async function callMcpTool(
  gateway: TestGateway,
  name: string,
  args: Json,
  post: McpPost = {},
): Promise<Json> {
  const { body, headers } = modern("tools/call", { name, arguments: args });
  const { answer } = await postMcp(gateway, body, { ...post, headers });
  const { result } = answer;
  if (typeof result !== "object" || result === null) throw new Error(JSON.stringify(answer));
  return result as Json;
}
