import type { Gateway, HttpReply, Protocol, Refusal } from "../types.js";
import type { McpEndpoint } from "./endpoint.js";

/** `POST /mcp`: the Model Context Protocol over streamable HTTP, in both eras. */
export function mcpProtocol(gateway: Gateway): Protocol {
  // Loaded with the first request: most gateways have no MCP clients.
  let endpoint: Promise<McpEndpoint> | undefined;
  const load = async () => {
    const { McpEndpoint } = await import("./endpoint.js");
    return new McpEndpoint(gateway);
  };
  return {
    http: {
      under: ["/mcp"],
      refuse,
      routes: [
        {
          method: "POST",
          path: "/mcp",
          scope: "read",
          handle: async (request) => {
            endpoint ??= load();
            return (await endpoint).handle(request);
          },
        },
      ],
    },
  };
}

/** `-32600` of JSON-RPC: the request was refused before it was read. */
function refuse({ status, reason, message }: Refusal): HttpReply {
  return {
    status,
    json: { jsonrpc: "2.0", id: null, error: { code: -32600, message, data: { reason } } },
  };
}
