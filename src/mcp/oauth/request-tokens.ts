import type { HttpFetch } from "../client/http-transport.js";
import { oauth } from "./checks.js";
import { fetchJson } from "./fetch-json.js";
import { oauthError } from "./oauth-error.js";
import type { OAuthClient } from "./register.js";
import type { OAuthTokens } from "./wire.js";

interface TokenRequest {
  endpoint: string;
  client: OAuthClient;
  /** The parameters of the grant. */
  grant: Readonly<Record<string, string>>;
  resource: string;
  fetch: HttpFetch;
}

/** Exchanges a code or a refresh token for tokens. Undefined if the authorization server no longer accepts it. */
export async function requestTokens(request: TokenRequest): Promise<OAuthTokens | undefined> {
  const { endpoint, client, grant, resource, fetch } = request;
  const body = new URLSearchParams({ ...grant, resource });
  const headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
  const { id, secret = "", method } = client;
  if (method === "client_secret_basic") {
    const pair = [id, secret].map((text) => new URLSearchParams({ x: text }).toString().slice(2)).join(":");
    headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    body.set("client_id", id);
    if (method === "client_secret_post") body.set("client_secret", secret);
  }
  const { status, value } = await fetchJson(fetch, endpoint, {
    method: "POST",
    headers,
    body: body.toString(),
  });
  if (status === 200 && oauth.is("OAuthTokens", value) && value.token_type.toLowerCase() === "bearer")
    return value;
  if (
    oauth.is("OAuthFailure", value) &&
    (value.error === "invalid_grant" || value.error === "invalid_client")
  ) {
    return undefined;
  }
  throw oauthError(`the authorization server issued no token: ${describeFailure(status, value)}`);
}

/** The error that an endpoint answered with. */
export function describeFailure(status: number, value: unknown): string {
  if (!oauth.is("OAuthFailure", value)) return `HTTP ${status}`;
  const { error, error_description: description } = value;
  return description === undefined ? error : `${error}: ${description}`;
}
