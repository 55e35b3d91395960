import { resolve } from "node:path";
import { withoutSecrets } from "../../tools/environment.js";
import type { McpServerSettings, OAuthSettings } from "../settings.js";
import { expandVariables } from "./expand-variables.js";
import { type HttpAuth, type HttpFetch, HttpTransport } from "./http-transport.js";
import { StdioTransport } from "./stdio-transport.js";
import type { Transport, TransportEvents } from "./transport.js";

/** What servers are reached with. */
export interface Surroundings {
  home: string;
  env(name: string): string | undefined;
  fetch: HttpFetch;
  /** Access to a server by OAuth. */
  authOf?(name: string, url: string, oauth: OAuthSettings | undefined): HttpAuth | undefined;
}

/** A server that can be connected to, with the texts of its settings that must not be shown. */
export interface OpenableServer {
  kind: Transport["kind"];
  secrets: readonly string[];
  open(events: TransportEvents): Transport;
}

/** Fills in the variables of a server's settings. Throws `mcp/bad-settings` if one is not set. */
export function openableServer(
  name: string,
  settings: McpServerSettings,
  { home, env, fetch, authOf }: Surroundings,
): OpenableServer {
  const secrets: string[] = [];
  const expand = (text: string) => expandVariables(text, env, secrets);
  const expandAll = (texts: Readonly<Record<string, string>> = {}) => {
    const all = Object.entries(texts).map(([key, text]) => [key, expand(text)] as const);
    // `Bearer abc`: the word alone is a secret, too.
    secrets.push(...all.flatMap(([, text]) => [text, ...text.split(/\s+/)]));
    return Object.fromEntries(all);
  };
  if (settings.url !== undefined) {
    const url = expand(settings.url);
    const headers = expandAll(settings.headers);
    const { clientSecret, ...client } = settings.oauth ?? {};
    const secret = clientSecret === undefined ? {} : expandAll({ clientSecret });
    const auth = authOf?.(name, url, { ...client, ...secret });
    return {
      kind: "http",
      secrets,
      open: (events) =>
        new HttpTransport({ url, headers, fetch, ...(auth === undefined ? {} : { auth }) }, events),
    };
  }
  const command = {
    command: expand(settings.command ?? ""),
    args: (settings.args ?? []).map(expand),
    env: { ...withoutSecrets(process.env), ...expandAll(settings.env) },
    cwd: resolve(home, expand(settings.cwd ?? ".")),
  };
  return { kind: "stdio", secrets, open: (events) => new StdioTransport(command, events) };
}
