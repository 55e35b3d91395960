import type { ProtocolFactory } from "./server.js";

/** The gateway's protocols. */
const protocols: readonly (() => Promise<ProtocolFactory>)[] = [
  async () => (await import("./rpc/protocol.js")).rpc,
  async () => (await import("./timbal/protocol.js")).timbalProtocol,
  async () => (await import("./models/protocols.js")).modelProtocols,
  async () => (await import("./channels/webhooks.js")).channelWebhooks,
  async () => (await import("./mcp/protocol.js")).mcpProtocol,
  async () => (await import("./ai-sdk/protocol.js")).aiSdkProtocol,
  async () => (await import("./ag-ui/protocol.js")).agUiProtocol,
  async () => (await import("./a2a/protocol.js")).a2aProtocol,
  async () => (await import("./openclaw/protocol.js")).openClawProtocol,
];

/** Called when a gateway starts. */
export function loadProtocols(): Promise<ProtocolFactory[]> {
  return Promise.all(protocols.map((load) => load()));
}
