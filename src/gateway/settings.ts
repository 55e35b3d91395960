import { isIP } from "node:net";
import { accountsOf } from "../channels/accounts.js";
import { DragomanError } from "../core/error.js";
import type { Config } from "../runtime/schema.js";
import type { Limits } from "./types.js";

/** Where a gateway listens, and whom it answers. */
export interface GatewaySettings {
  host: string;
  port: number;
  origins: readonly string[];
  hosts: readonly string[];
  proxies: readonly string[];
  limits: Limits;
}

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 18_800;

const MIB = 1024 * 1024;

const defaultLimits: Limits = {
  bodyBytes: 32 * MIB,
  frameBytes: 16 * MIB,
  unreadBytes: 8 * MIB,
  connections: 2048,
  requestsPerMinute: 600,
};

/** What was asked for on the command line, in the environment, in the configuration, in this order; else the defaults. */
export function settingsOf(
  { gateway = {}, channels }: Config,
  env: Readonly<Record<string, string | undefined>>,
  flags: { host?: string | undefined; port?: string | undefined } = {},
): GatewaySettings {
  const { DRAGOMAN_HOST: envHost = "", DRAGOMAN_PORT: envPort = "" } = env;
  const host = flags.host ?? (envHost === "" ? gateway.host : envHost) ?? DEFAULT_HOST;
  const port =
    portOf("--port", flags.port) ??
    portOf("DRAGOMAN_PORT", envPort === "" ? undefined : envPort) ??
    gateway.port ??
    DEFAULT_PORT;
  return {
    host: hostOf(host),
    port,
    origins: gateway.origins ?? [],
    hosts: [...(gateway.hosts ?? []).map((name) => name.toLowerCase()), ...webhookHosts(channels)],
    proxies: (gateway.proxies ?? []).map((address) => address.toLowerCase()),
    limits: { ...defaultLimits, ...gateway.limits },
  };
}

/** Platforms that call us use the names they were given. */
function webhookHosts(channels: Config["channels"]): string[] {
  return accountsOf(channels).flatMap(({ settings: { webhookUrl: url } }) =>
    typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : [],
  );
}

/** Only this computer can reach such an address. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127.")) || isMapped(host)
  );
}

function isMapped(host: string): boolean {
  return host.startsWith("::ffff:127.");
}

function hostOf(text: string): string {
  const host = text.trim().replace(/^\[(.*)\]$/, "$1");
  if (host !== "" && !/[\s/]/.test(host)) return host;
  throw new DragomanError("config/invalid", `"${text}" is no address to listen on`, {
    hint: "127.0.0.1 is for this computer only; 0.0.0.0 is for everybody who can reach it",
  });
}

function portOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new DragomanError("config/invalid", `${name} is "${text}", which is no port`, {
    hint: "a port is a number from 0 to 65535; 0 takes any that is free",
  });
}
