import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { redactSecrets } from "../../core/secrets.js";
import { networkFailure } from "../failure.js";
import { textOf } from "../payloads.js";
import type { ProviderRequest, ProviderResponse, World } from "../world.js";
import {
  GOOGLE_TOKEN_URL,
  type GoogleCredentials,
  type MetadataServer,
  type ServiceAccount,
} from "./google-credentials.js";
import type { AccessToken } from "./token-cache.js";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const LIFETIME_S = 3600;
const TIMEOUT_MS = 30_000;
/** Short, because outside Google Cloud there is no metadata server, and the lookup may hang. */
const METADATA_TIMEOUT_MS = 3000;
const MOST_BYTES = 2 ** 16;
const NO_CREDENTIALS =
  "run gcloud auth application-default login, set GOOGLE_APPLICATION_CREDENTIALS, or pass an access token as apiKey";

/** Requests an access token from Google. */
export async function requestGoogleToken(credentials: GoogleCredentials, world: World): Promise<AccessToken> {
  switch (credentials.type) {
    case "service_account": {
      const assertion = await signClaims(credentials, world.now());
      const form = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
      return requestToken(credentials.tokenUrl, form, [assertion, credentials.privateKey], world);
    }
    case "authorized_user": {
      const { clientId, clientSecret, refreshToken } = credentials;
      const form = {
        grant_type: "refresh_token",
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken,
      };
      return requestToken(GOOGLE_TOKEN_URL, form, [clientSecret, refreshToken], world);
    }
    case "metadata": {
      const text = await readMetadata(credentials, "instance/service-accounts/default/token", world);
      return readToken(text, world.now(), []);
    }
  }
}

/** Reads a value from Google Cloud's metadata server. */
export async function readMetadata({ host }: MetadataServer, path: string, world: World): Promise<string> {
  const url = `http://${host}/computeMetadata/v1/${path}`;
  const init = { headers: { "metadata-flavor": "Google" } };
  const { response, text } = await send(url, init, METADATA_TIMEOUT_MS, world).catch((cause: unknown) => {
    throw new DragomanError("provider/no-key", "there are no Google credentials", {
      hint: NO_CREDENTIALS,
      cause,
    });
  });
  // Another server that answers at this name does not send the header, and is not trusted.
  if (response.ok && response.headers.get("metadata-flavor") === "Google") return text;
  throw new DragomanError(
    "provider/no-key",
    `the metadata server at ${host} has no credentials: HTTP ${response.status}`,
    { hint: NO_CREDENTIALS },
  );
}

async function requestToken(
  url: string,
  form: Record<string, string>,
  secrets: readonly string[],
  world: World,
): Promise<AccessToken> {
  const init = {
    method: "POST" as const,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  };
  const { response, text } = await send(url, init, TIMEOUT_MS, world).catch((cause: unknown) => {
    throw networkFailure("the provider cannot be reached", cause);
  });
  if (response.ok) return readToken(text, world.now(), secrets);
  const isTemporary = response.status >= 500 || response.status === 429;
  const what = `Google refused the credentials: HTTP ${response.status}: ${redactSecrets(explanationIn(text), secrets)}`;
  throw new DragomanError(isTemporary ? "provider/http" : "provider/no-key", what, {
    details: { status: response.status, retryable: isTemporary },
    ...(isTemporary ? {} : { hint: NO_CREDENTIALS }),
  });
}

async function send(
  url: string,
  init: Omit<ProviderRequest, "redirect">,
  timeoutMs: number,
  world: World,
): Promise<{ response: ProviderResponse; text: string }> {
  const controller = new AbortController();
  const cancel = world.after(timeoutMs, () =>
    controller.abort(new Error(`no answer in ${timeoutMs / 1000} s`)),
  );
  try {
    const response = await world.fetch(url, { ...init, redirect: "manual", signal: controller.signal });
    return { response, text: await textOf(response, MOST_BYTES) };
  } finally {
    cancel();
  }
}

function explanationIn(text: string): string {
  const body = parseObject(text);
  const parts = [body["error"], body["error_description"]].filter((part) => typeof part === "string");
  return parts.length === 0 ? "no further explanation" : parts.join(": ");
}

/** Reads `{ access_token, expires_in }`; `expires_in` is in seconds. */
function readToken(text: string, now: number, secrets: readonly string[]): AccessToken {
  const { access_token: value, expires_in: seconds } = parseObject(text);
  if (typeof value !== "string" || typeof seconds !== "number") {
    const start = redactSecrets(text.slice(0, 80), secrets);
    throw new DragomanError(
      "provider/bad-response",
      `expected an access token from Google, found: ${start}`,
      {
        details: { retryable: true },
      },
    );
  }
  return { value, expiresAt: now + seconds * 1000 };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The JWT with which a service account requests a token. */
async function signClaims(account: ServiceAccount, now: number): Promise<string> {
  const { email, keyId, tokenUrl } = account;
  const issued = Math.floor(now / 1000);
  const header = { alg: "RS256", typ: "JWT", ...(keyId === undefined ? {} : { kid: keyId }) };
  const claims = { iss: email, scope: SCOPE, aud: tokenUrl, iat: issued, exp: issued + LIFETIME_S };
  const unsigned = `${base64Url(utf8(JSON.stringify(header)))}.${base64Url(utf8(JSON.stringify(claims)))}`;
  const key = await importKey(account);
  const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, utf8(unsigned));
  return `${unsigned}.${base64Url(new Uint8Array(signature))}`;
}

async function importKey({ privateKey, email }: ServiceAccount): Promise<CryptoKey> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const lines = privateKey.split("\n").filter((line) => !line.startsWith("-----"));
  const base64 = lines.map((line) => line.trim()).join("");
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return await crypto.subtle.importKey("pkcs8", bytes, algorithm, false, ["sign"]);
  } catch {
    // The thrown error may contain the key.
    throw new DragomanError("provider/no-key", `the private key of ${email} cannot be read`, {
      at: "/private_key",
      hint: "download the key file again",
    });
  }
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64Url(bytes: Uint8Array): string {
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
