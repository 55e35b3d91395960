import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Checksum, SourceData } from "@smithy/types";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { validateRequest } from "./bedrock.js";

/** What the AWS signer hashes with. */
export class Sha256 implements Checksum {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {}
}

function bytesOf(data: SourceData): Uint8Array {
  if (typeof data === "string") return new TextEncoder().encode(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

export interface FakeAccount {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  bearerToken?: string;
  region: string;
  now(): number;
}

/** The bytes of a stream, and how many are written at a time. */
export interface FakeStream {
  bytes: Uint8Array;
  chunkBytes?: number;
}

interface Call {
  path: string;
  headers: IncomingMessage["headers"];
  body: JsonObject;
}

/**
 * Bedrock's runtime on a real socket. It signs each request again with the signer of the AWS SDKs and refuses those whose
 * signature differs, those older than five minutes, and those that the API refuses.
 */
export async function fakeBedrock(account: FakeAccount, answer: () => FakeStream) {
  const calls: Call[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(request);
    const refusal = await refuseCaller(request, text, account);
    if (refusal !== undefined) return refuse(response, 403, refusal.type, refusal.message);
    const path = request.url ?? "";
    if (!/^\/model\/[^/]+\/converse-stream$/.test(path)) {
      return refuse(response, 404, "UnknownOperationException", "no such operation");
    }
    const body: unknown = JSON.parse(text);
    if (!isObject(body)) return refuse(response, 400, "ValidationException", "no body");
    calls.push({ path, headers: request.headers, body });
    const invalid = validateRequest(body);
    if (invalid !== undefined) return refuse(response, 400, "ValidationException", invalid);
    const { bytes, chunkBytes = bytes.length } = answer();
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    for (let at = 0; at < bytes.length; at += chunkBytes) response.write(bytes.subarray(at, at + chunkBytes));
    response.end();
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}`, calls, close };
}

async function refuseCaller(
  { headers, url = "" }: IncomingMessage,
  body: string,
  account: FakeAccount,
): Promise<{ type: string; message: string } | undefined> {
  const { authorization = "" } = headers;
  if (authorization.startsWith("Bearer ")) {
    if (authorization === `Bearer ${account.bearerToken}`) return undefined;
    return { type: "AccessDeniedException", message: "Authentication failed: the bearer token is not valid" };
  }
  const [, names = ""] = /SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  const signed = Object.fromEntries(names.split(";").map((name) => [name, String(headers[name] ?? "")]));
  if (account.sessionToken !== headers["x-amz-security-token"]) {
    return {
      type: "UnrecognizedClientException",
      message: "The security token included in the request is invalid.",
    };
  }
  const time = String(headers["x-amz-date"]).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z");
  if (!(Math.abs(Date.parse(time) - account.now()) < 300_000)) {
    return { type: "InvalidSignatureException", message: "Signature expired" };
  }
  const { accessKeyId, secretAccessKey, sessionToken, region } = account;
  const credentials = {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
  const signer = new SignatureV4({ service: "bedrock", region, credentials, sha256: Sha256 });
  const { headers: expected } = await signer.sign(
    { method: "POST", protocol: "http:", hostname: "", path: url, query: {}, headers: signed, body },
    { signingDate: new Date(time) },
  );
  if (expected["authorization"] === authorization) return undefined;
  return {
    type: "InvalidSignatureException",
    message: `The request signature we calculated does not match the signature you provided. The Canonical String should have been x-amz-security-token:${headers["x-amz-security-token"]}`,
  };
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json", "x-amzn-errortype": type });
  response.end(JSON.stringify({ message }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
