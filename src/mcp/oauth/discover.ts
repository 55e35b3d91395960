import type { HttpFetch } from "../client/http-transport.js";
import type { Challenge } from "./challenge.js";
import { oauth } from "./checks.js";
import { fetchJson, requireSecure } from "./fetch-json.js";
import { oauthError } from "./oauth-error.js";
import type { OAuthResourceMetadata, OAuthServerMetadata } from "./wire.js";

/** Who issues tokens for a server, and for what. */
export interface Discovered {
  server: OAuthServerMetadata;
  /** The `resource` parameter of requests. */
  resource: string;
  /** The scopes that the server needs for basic use. */
  scope: string | undefined;
}

/** Finds the authorization server of an MCP server. */
export async function discoverAccess(
  url: string,
  challenge: Challenge,
  fetch: HttpFetch,
): Promise<Discovered> {
  const metadata = await resourceMetadata(url, challenge, fetch);
  const scope = metadata?.scopes_supported?.join(" ");
  // Servers of before 2025-06-18 have no metadata: they issue tokens themselves.
  const [issuer = new URL(url).origin] = metadata?.authorization_servers ?? [];
  const server = await serverMetadata(issuer, fetch);
  return { server, resource: metadata?.resource ?? canonical(url), scope: scope === "" ? undefined : scope };
}

async function resourceMetadata(
  url: string,
  { resourceMetadata: named }: Challenge,
  fetch: HttpFetch,
): Promise<OAuthResourceMetadata | undefined> {
  const { origin, pathname } = new URL(url);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname.replace(/\/$/, "");
  const places = named === undefined ? [...new Set([`${wellKnown}${path}`, wellKnown])] : [named];
  for (const place of places) {
    const { status, value } = await fetchJson(fetch, place);
    if (status !== 200) continue;
    if (!oauth.is("OAuthResourceMetadata", value))
      throw oauthError(`the document at ${place} is not resource metadata`);
    requireSame(url, value.resource);
    return value;
  }
  if (named !== undefined) throw oauthError(`there is no resource metadata at ${named}`);
  return undefined;
}

/** A token for one resource must not be sent to another: the metadata has to name this server, or a part above it. */
function requireSame(url: string, resource: string): void {
  if (URL.canParse(resource)) {
    const [wanted, named] = [new URL(url), new URL(resource)];
    const folder = named.pathname.endsWith("/") ? named.pathname : `${named.pathname}/`;
    if (wanted.origin === named.origin && `${wanted.pathname}/`.startsWith(folder)) return;
  }
  throw oauthError(`the metadata of ${url} is about another resource, ${JSON.stringify(resource)}`);
}

/** The metadata of an issuer, at the places where OAuth and OpenID Connect put it. */
async function serverMetadata(issuer: string, fetch: HttpFetch): Promise<OAuthServerMetadata> {
  requireSecure(issuer);
  for (const place of placesOf(issuer)) {
    const { status, value } = await fetchJson(fetch, place);
    if (status !== 200) continue;
    if (!oauth.is("OAuthServerMetadata", value))
      throw oauthError(`the document at ${place} is not server metadata`);
    if (value.issuer !== issuer) {
      throw oauthError(`the metadata of ${issuer} names another issuer, ${JSON.stringify(value.issuer)}`);
    }
    if (value.code_challenge_methods_supported?.includes("S256") !== true) {
      throw oauthError(`the authorization server ${issuer} does not support PKCE with S256`);
    }
    for (const endpoint of [value.authorization_endpoint, value.token_endpoint]) requireSecure(endpoint);
    return value;
  }
  throw oauthError(`there is no metadata of the authorization server ${issuer}`);
}

function placesOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const [oauth, openId] = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
  const inserted = [`${origin}${oauth}${path}`, `${origin}${openId}${path}`];
  return path === "" ? inserted : [...inserted, `${origin}${path}${openId}`];
}

/** Without a fragment and, for a host alone, without the slash. */
function canonical(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === "/" && search === "" ? origin : `${origin}${pathname}${search}`;
}
