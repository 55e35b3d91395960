import type { HttpRequest } from "../../core/api/provider.js";

/** The access keys of an AWS account or session. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface SigningScope {
  region: string;
  service: string;
}

/** Headers that proxies and `fetch` change or add. */
const UNSIGNED = new Set(["authorization", "connection", "expect", "user-agent", "x-amzn-trace-id"]);

/** Signs a POST request with AWS Signature Version 4. Every header is part of the signature. */
export async function signAws(
  request: HttpRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  { region, service }: SigningScope,
  now: number,
): Promise<HttpRequest> {
  const time = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const date = time.slice(0, 8);
  const url = new URL(request.url);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": hex(await sha256(request.body)),
    "x-amz-date": time,
    ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
  };
  const signed = Object.entries({ ...headers, host: url.host })
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replace(/\s+/g, " ")])
    .filter(([name]) => !UNSIGNED.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    "POST",
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${date}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, hex(await sha256(canonical))].join("\n");
  let key: Bytes = utf8(`AWS4${secretAccessKey}`);
  for (const part of [date, region, service, "aws4_request"]) key = await hmac(key, part);
  const signature = hex(await hmac(key, text));
  const credential = `Credential=${accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...request, headers: { ...headers, authorization } };
}

/** Encodes the segments once more than in the URL, as every service except S3 requires. */
function canonicalPath(path: string): string {
  return path.split("/").map(encode).join("/");
}

function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

async function sha256(text: string): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text)));
}

async function hmac(key: Bytes, text: string): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

function hex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
