import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { validateRequest as anthropic } from "./anthropic.js";
import { validateRequest as google } from "./google.js";

export interface VertexAccounts {
  /** Service accounts: their e-mail addresses, and the public keys of their key files by id. */
  services?: Record<string, { keyId: string; publicKey: string }>;
  /** Refresh tokens of people. */
  refreshTokens?: readonly string[];
  /** Whether it runs in Google's cloud, and in which project. */
  metadataProject?: string;
  now(): number;
}

interface Call {
  url: string;
  headers: Record<string, string>;
  body: JsonObject;
}

const LIFETIME_MS = 3600_000;
const MODEL =
  /^https:\/\/([a-z0-9.-]+)\/v1\/projects\/([^/]+)\/locations\/([^/]+)\/publishers\/(google|anthropic)\/models\/([^/:]+):(\w+)(\?alt=sse)?$/;

/**
 * Google's token endpoint, the metadata server and Vertex AI, with the rules of the real ones: tokens are issued to valid
 * assertions and refresh tokens only, and expire; each publisher has its own method and body.
 */
export function fakeVertex(accounts: VertexAccounts, stream: (publisher: string) => string) {
  const expiries = new Map<string, number>();
  const calls: Call[] = [];
  const tokenRequests: string[] = [];

  const issue = () => {
    const value = `ya29.fake-token-number-${expiries.size + 1}`;
    expiries.set(value, accounts.now() + LIFETIME_MS);
    return json(200, { access_token: value, expires_in: LIFETIME_MS / 1000, token_type: "Bearer" });
  };

  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers));
    if (url.includes("/computeMetadata/v1/")) {
      const isHere =
        url.startsWith("http://metadata.google.internal/") && accounts.metadataProject !== undefined;
      if (!isHere) throw new TypeError("getaddrinfo ENOTFOUND");
      if (headers["metadata-flavor"] !== "Google") return json(403, {});
      tokenRequests.push("metadata");
      const reply = url.endsWith("/project-id") ? new Response(accounts.metadataProject) : issue();
      reply.headers.set("metadata-flavor", "Google");
      return reply;
    }
    if (url === "https://oauth2.googleapis.com/token") {
      const form = new URLSearchParams(String(init.body));
      tokenRequests.push(form.get("grant_type") ?? "");
      const refusal = refuseGrant(form, accounts);
      return refusal === undefined
        ? issue()
        : json(400, { error: "invalid_grant", error_description: refusal });
    }
    const body: unknown = JSON.parse(String(init.body));
    if (!isObject(body)) return json(400, { error: { message: "not an object" } });
    calls.push({ url, headers, body });
    const [, bearer = ""] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
    if ((expiries.get(bearer) ?? 0) <= accounts.now()) {
      const message = `Request had invalid authentication credentials: ${bearer}`;
      return json(401, { error: { code: 401, message, status: "UNAUTHENTICATED" } });
    }
    const [, host, , location, publisher = "", model = "", method, alt] = MODEL.exec(url) ?? [];
    if (host === undefined || host !== hostOf(location))
      return json(404, { error: { message: `no ${url}` } });
    const refusal =
      publisher === "google"
        ? refuseGemini(body, model, `${method}${alt ?? ""}`)
        : refuseClaude(body, model, `${method}${alt ?? ""}`);
    if (refusal !== undefined) return json(400, { error: { code: 400, message: refusal } });
    return new Response(stream(publisher), { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, calls, tokenRequests, revoke: () => expiries.clear() };
}

function hostOf(location: string | undefined): string {
  return location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
}

function json(status: number, body: JsonObject): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

function refuseGrant(form: URLSearchParams, accounts: VertexAccounts): string | undefined {
  if (form.get("grant_type") === "refresh_token") {
    const isKnown = accounts.refreshTokens?.includes(form.get("refresh_token") ?? "");
    // The real one does not repeat it; a proxy might.
    return isKnown ? undefined : `Token has been expired or revoked: ${form.get("refresh_token")}`;
  }
  const [header = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
  const { alg, kid } = decode(header);
  const { iss, aud, scope, iat, exp } = decode(claims);
  const account = accounts.services?.[String(iss)];
  if (alg !== "RS256" || account === undefined || kid !== account.keyId)
    return "Invalid grant: account not found";
  const key: KeyObject = createPublicKey(account.publicKey);
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    key,
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) return "Invalid JWT Signature.";
  if (aud !== "https://oauth2.googleapis.com/token") return "Invalid JWT: wrong audience";
  if (scope !== "https://www.googleapis.com/auth/cloud-platform") return "Invalid scope";
  const now = accounts.now() / 1000;
  const isTimely =
    Math.abs(Number(iat) - now) < 300 && Number(exp) > now && Number(exp) - Number(iat) <= 3600;
  return isTimely ? undefined : "Invalid JWT: Token must be a short-lived token";
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

function refuseGemini(body: JsonObject, model: string, method: string): string | undefined {
  if (method !== "streamGenerateContent?alt=sse") return `Method not found: ${method}`;
  return model.startsWith("gemini") ? google(body, model) : `Publisher Model ${model} was not found`;
}

function refuseClaude(
  { anthropic_version: version, ...body }: JsonObject,
  model: string,
  method: string,
): string | undefined {
  if (method !== "streamRawPredict") return `Method not found: ${method}`;
  if (version !== "vertex-2023-10-16") return "anthropic_version: Field required";
  if ("model" in body) return "model: Extra inputs are not permitted";
  return model.startsWith("claude")
    ? anthropic({ ...body, model })
    : `Publisher Model ${model} was not found`;
}
