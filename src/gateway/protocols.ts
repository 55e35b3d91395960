import type { ProtocolFactory } from "./server.js";

/** Every protocol the gateway speaks, a line each, such as `async () => (await import("./rpc/index.js")).rpc`. */
const protocols: readonly (() => Promise<ProtocolFactory>)[] = [];

/** They are loaded when a gateway starts, all at once. */
export function loadProtocols(): Promise<ProtocolFactory[]> {
  return Promise.all(protocols.map((load) => load()));
}
