import { type CredentialStore, OAuthAccess } from "../mcp/oauth/access.js";
import type { LoginPage } from "../mcp/oauth/log-in.js";
import type { OAuthSettings } from "../mcp/settings.js";
import { httpFetch } from "./http-fetch.js";

interface AccessRequest {
  name: string;
  url: string;
  oauth: OAuthSettings | undefined;
  store: CredentialStore;
  /** Lets a person log in. */
  page?: LoginPage;
}

/** Access to a server with the login of `dragoman mcp login`. */
export function oauthAccess({ oauth = {}, ...request }: AccessRequest): OAuthAccess {
  return new OAuthAccess({ ...request, configured: oauth, fetch: httpFetch, now: Date.now });
}
