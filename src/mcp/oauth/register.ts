import type { HttpFetch } from "../client/http-transport.js";
import { oauth } from "./checks.js";
import { fetchJson } from "./fetch-json.js";
import { oauthError } from "./oauth-error.js";
import { describeFailure } from "./request-tokens.js";
import type { OAuthCredentials, OAuthServerMetadata } from "./wire.js";

export type OAuthClient = OAuthCredentials["client"];

/** A client that the user has registered with the authorization server. */
export interface ConfiguredClient {
  /** An HTTPS address is that of a client-id metadata document. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

interface ClientRequest {
  server: OAuthServerMetadata;
  configured: ConfiguredClient;
  /** The one of an earlier login at the same issuer. */
  known: OAuthClient | undefined;
  redirectUri: string;
  scope: string | undefined;
  fetch: HttpFetch;
}

/** The client to log in with: a configured one, a metadata document, one that is known, or a new registration. */
export async function clientFor(request: ClientRequest): Promise<OAuthClient> {
  const { server, configured, known, redirectUri } = request;
  const { clientId: id, clientSecret: secret } = configured;
  if (id !== undefined && !id.startsWith("https://")) {
    const method = methodFor(server, secret !== undefined);
    return { id, method, ...(secret === undefined ? {} : { secret }) };
  }
  if (id !== undefined && server.client_id_metadata_document_supported === true)
    return { id, method: "none" };
  if (known?.redirectUri === redirectUri) return known;
  return register(request);
}

async function register({ server, redirectUri, scope, fetch }: ClientRequest): Promise<OAuthClient> {
  const { registration_endpoint: endpoint, issuer } = server;
  if (endpoint === undefined) {
    throw oauthError(
      `the authorization server ${issuer} does not register clients by itself`,
      "register one there and set `oauth.clientId` of the server in the configuration",
    );
  }
  const body = {
    client_name: "Dragoman",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: methodFor(server, false),
    application_type: "native",
    ...(scope === undefined ? {} : { scope }),
  };
  const { status, value } = await fetchJson(fetch, endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (status < 200 || status > 299 || !oauth.is("OAuthRegistration", value)) {
    throw oauthError(`the registration at ${issuer} failed: ${describeFailure(status, value)}`);
  }
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: named } = value;
  const method = isMethod(named) ? named : methodFor(server, secret !== undefined);
  return { id, method, redirectUri, ...(secret === undefined ? {} : { secret }) };
}

const methods = ["none", "client_secret_basic", "client_secret_post"] as const;

function isMethod(name: string | undefined): name is OAuthClient["method"] {
  return methods.some((method) => method === name);
}

/** A public client needs no secret; otherwise the header is preferred, which is the default of the standard. */
function methodFor(
  { token_endpoint_auth_methods_supported: supported = ["client_secret_basic"] }: OAuthServerMetadata,
  hasSecret: boolean,
): OAuthClient["method"] {
  const preferred = hasSecret ? methods.slice(1) : methods;
  return (
    preferred.find((method) => supported.includes(method)) ?? (hasSecret ? "client_secret_basic" : "none")
  );
}
