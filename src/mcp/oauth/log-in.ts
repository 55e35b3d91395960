import type { HttpFetch } from "../client/http-transport.js";
import { type Challenge, joinScopes } from "./challenge.js";
import { type Discovered, discoverAccess } from "./discover.js";
import { oauthError } from "./oauth-error.js";
import { challengeOf, newSecretText } from "./pkce.js";
import type { RedirectListener } from "./redirect-listener.js";
import { type ConfiguredClient, clientFor } from "./register.js";
import { requestTokens } from "./request-tokens.js";
import type { OAuthCredentials, OAuthServerMetadata, OAuthTokens } from "./wire.js";

/** How a person is asked for access. */
export interface LoginPage {
  /** `preferred` is the address of an earlier login. */
  listen(preferred: string | undefined): Promise<RedirectListener>;
  /** Shows the page of the authorization server. */
  open(url: string): void;
  /** Aborts when the person gives up. */
  signal: AbortSignal;
}

export interface LoginRequest {
  url: string;
  challenge: Challenge;
  /** Of an earlier login. */
  stored: OAuthCredentials | undefined;
  configured: ConfiguredClient & { scopes?: readonly string[] | undefined };
  page: LoginPage;
  fetch: HttpFetch;
  now(): number;
}

/** Asks the person for access to a server: the authorization code flow with PKCE. */
export async function logIn(request: LoginRequest): Promise<OAuthCredentials> {
  const { url, challenge, configured, page, fetch, now } = request;
  const access = await discoverAccess(url, challenge, fetch);
  const { server, resource } = access;
  // Credentials of another authorization server are not sent to this one.
  const stored = request.stored?.issuer === server.issuer ? request.stored : undefined;
  const listener = await page.listen(stored?.client.redirectUri);
  try {
    const { uri: redirectUri } = listener;
    const scope = scopeFor(access, challenge, stored, configured.scopes);
    const known = stored?.client;
    const client = await clientFor({ server, configured, known, redirectUri, scope, fetch });
    const [state, verifier] = [newSecretText(), newSecretText()];
    const redirected = listener.parameters(state, page.signal);
    page.open(
      authorizationUrl(server, {
        response_type: "code",
        client_id: client.id,
        redirect_uri: redirectUri,
        state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: "S256",
        resource,
        ...(scope === undefined ? {} : { scope }),
      }),
    );
    const code = codeIn(await redirected, server);
    const grant = {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const tokens = await requestTokens({ endpoint: server.token_endpoint, client, grant, resource, fetch });
    if (tokens === undefined)
      throw oauthError(`${server.issuer} did not accept its own code`, "log in again");
    const { issuer, token_endpoint: tokenEndpoint } = server;
    return {
      issuer,
      tokenEndpoint,
      resource,
      client,
      ...tokenFields(tokens, now()),
      ...(scope === undefined ? {} : { scope }),
    };
  } finally {
    listener.close();
  }
}

/** The fields of tokens as they are stored. */
export function tokenFields(
  { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken }: OAuthTokens,
  now: number,
): Pick<OAuthCredentials, "accessToken" | "expires" | "refreshToken"> {
  return {
    accessToken,
    ...(seconds === undefined ? {} : { expires: now + seconds * 1000 }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
}

/**
 * What the server asks for now, together with what it was granted before; otherwise what it needs for basic use. Without
 * `offline_access`, OpenID providers issue no refresh token.
 */
function scopeFor(
  { server, scope: supported }: Discovered,
  challenge: Challenge,
  stored: OAuthCredentials | undefined,
  configured: readonly string[] | undefined,
): string | undefined {
  const asked = joinScopes(stored?.scope, stored?.neededScope, challenge.scope, configured?.join(" "));
  const isOffline = server.scopes_supported?.includes("offline_access") === true;
  return joinScopes(asked ?? supported, isOffline ? "offline_access" : undefined);
}

function authorizationUrl(
  { authorization_endpoint: endpoint }: OAuthServerMetadata,
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The code of a redirect. The issuer is compared first: nothing else of another issuer's redirect may be used. */
function codeIn(parameters: URLSearchParams, server: OAuthServerMetadata): string {
  const { issuer, authorization_response_iss_parameter_supported: isSent = false } = server;
  const named = parameters.get("iss");
  if (named === null ? isSent : named !== issuer) {
    throw oauthError(
      "the redirect did not come from the authorization server that was asked",
      "log in again",
    );
  }
  const error = parameters.get("error");
  if (error !== null) {
    const description = parameters.get("error_description");
    throw oauthError(`access was not granted: ${description === null ? error : `${error}: ${description}`}`);
  }
  const code = parameters.get("code");
  if (code === null) throw oauthError("the redirect has no code", "log in again");
  return code;
}
