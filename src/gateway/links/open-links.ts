import type { Runtime } from "../../runtime/runtime.js";
import { loadWs } from "../sockets/load-ws.js";
import type { Logger, Metrics } from "../types.js";
import { clusterKey } from "./cluster-key.js";
import { Links } from "./links.js";

export interface LinkSettings {
  /** Where the other gateways reach this one; port 0 stands for the one that it listens on. */
  advertise: string;
  /** What all gateways of the store have in common (default: a token that the store keeps). */
  token?: string;
  version: string;
}

/** Lets the conversations that are opened from now on find the other gateways. */
export async function openLinks(
  runtime: Runtime,
  { token, version }: LinkSettings,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): Promise<Links> {
  const { WebSocket } = loadWs();
  const { store } = runtime;
  const key = await clusterKey(store, token);
  const links = new Links({ store, key, config: () => runtime.config, version, logger, metrics, WebSocket });
  runtime.owners = links;
  return links;
}

/** The URL that others use, once the server listens at another one. */
export function advertisedUrl({ advertise }: Pick<LinkSettings, "advertise">, listening: string): string {
  const url = new URL(advertise);
  if (url.port === "0") url.port = new URL(listening).port;
  return url.href.replace(/\/$/, "");
}
