import { isIP } from "node:net";
import { accountsOf } from "../channels/accounts.js";
import { DragomanError } from "../core/error.js";
import type { Config } from "../runtime/schema.js";
import type { Limits } from "./types.js";

/** Where a gateway listens, and which clients it serves. */
export interface GatewaySettings {
  host: string;
  port: number;
  origins: readonly string[];
  hosts: readonly string[];
  /** Where other gateways that share the store reach this one (default: not at all). */
  advertise?: string;
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

/** From the command line, the environment and the configuration, in this order; otherwise the defaults. */
export function settingsOf(
  { gateway = {}, channels }: Config,
  env: Readonly<Record<string, string | undefined>>,
  flags: { host?: string | undefined; port?: string | undefined; advertise?: string | undefined } = {},
): GatewaySettings {
  const { DRAGOMAN_HOST: envHost = "", DRAGOMAN_PORT: envPort = "", DRAGOMAN_ADVERTISE: envUrl = "" } = env;
  const advertise = advertised(flags.advertise ?? (envUrl === "" ? gateway.advertise : envUrl));
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
    hosts: [
      ...(gateway.hosts ?? []).map((name) => name.toLowerCase()),
      ...webhookHosts(channels),
      ...(advertise === undefined ? [] : [new URL(advertise).hostname]),
    ],
    ...(advertise === undefined ? {} : { advertise }),
    proxies: (gateway.proxies ?? []).map((address) => address.toLowerCase()),
    limits: { ...defaultLimits, ...gateway.limits },
  };
}

/** Platforms call the gateway by the host of the webhook URL. */
function webhookHosts(channels: Config["channels"]): string[] {
  return accountsOf(channels).flatMap(({ settings: { webhookUrl: url } }) =>
    typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : [],
  );
}

/** A gateway's URL on this computer. */
export function urlOf({ host, port }: Pick<GatewaySettings, "host" | "port">): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Whether only this computer can reach the address. */
export function isLoopback(host: string): boolean {
  const isV4 = (isIP(host) === 4 && host.startsWith("127.")) || host.startsWith("::ffff:127.");
  return isV4 || host === "localhost" || host === "::1";
}

function hostOf(text: string): string {
  const host = text.trim().replace(/^\[(.*)\]$/, "$1");
  if (host !== "" && !/[\s/]/.test(host)) return host;
  throw new DragomanError("config/invalid", `"${text}" is not an address to listen on`, {
    hint: "use 127.0.0.1 for this computer only, or 0.0.0.0 for every network it is on",
  });
}

function advertised(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { protocol, pathname, search, hash, username } = URL.canParse(url) ? new URL(url) : {};
  const isPlain = pathname === "/" && search === "" && hash === "" && username === "";
  if ((protocol === "http:" || protocol === "https:") && isPlain) return url;
  throw new DragomanError(
    "config/invalid",
    "the advertised URL must be http(s)://host:port and nothing else",
    {
      hint: "give the address at which other gateways reach this one: --advertise http://10.0.0.5:18800",
    },
  );
}

function portOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new DragomanError("config/invalid", `${name} is "${text}", which is not a port`, {
    hint: "a port is a number from 0 to 65535; 0 picks a free one",
  });
}
