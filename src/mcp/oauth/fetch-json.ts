import { wordsOf } from "../../core/error.js";
import { jsonIn } from "../../core/json/parse.js";
import { bodyText, type HttpFetch } from "../client/http-transport.js";
import { oauthError } from "./oauth-error.js";

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface JsonReply {
  status: number;
  /** Undefined if the body is not JSON. */
  value: unknown;
}

interface JsonRequest {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
}

/** Requests a JSON document. Redirects are not followed: they could lead to an address that only this computer reaches. */
export async function fetchJson(
  fetch: HttpFetch,
  url: string,
  request: JsonRequest = {},
): Promise<JsonReply> {
  requireSecure(url);
  const { method = "GET", headers = {}, body } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, value: jsonIn(await bodyText(response, MAX_BYTES)) };
  } catch (error) {
    throw oauthError(`${hostOf(url)} cannot be reached: ${wordsOf(error)}`);
  }
}

/** Tokens and codes are sent only over HTTPS, or to this computer. */
export function requireSecure(url: string): void {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  const isLocal = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isLocal)) return;
  throw oauthError(`${JSON.stringify(url)} is not an HTTPS address`);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : JSON.stringify(url);
}
