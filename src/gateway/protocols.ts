import type { ProtocolFactory } from "./server.js";

/** Every protocol the gateway speaks, a line each. */
const protocols: readonly (() => Promise<ProtocolFactory>)[] = [
  async () => (await import("./rpc/protocol.js")).rpc,
  async () => (await import("./timbal/protocol.js")).timbalProtocol,
  async () => (await import("./models/protocols.js")).modelProtocols,
  async () => (await import("./channels/webhooks.js")).channelWebhooks,
];

/** They are loaded when a gateway starts, all at once. */
export function loadProtocols(): Promise<ProtocolFactory[]> {
  return Promise.all(protocols.map((load) => load()));
}
