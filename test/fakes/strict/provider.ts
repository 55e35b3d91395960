import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "../../../src/core/json/value.js";
import type { ApiName } from "../../../src/dialects/registry.js";
import { formatSse } from "../../../src/framing/sse-format.js";
import { strictAnthropic } from "./anthropic.js";
import type { Received, StrictApi } from "./api.js";
import { strictGoogle } from "./google.js";
import { strictOllama } from "./ollama.js";
import { strictOpenaiChat } from "./openai-chat.js";
import { strictOpenaiResponses } from "./openai-responses.js";

const apis: Record<ApiName, StrictApi> = {
  anthropic: strictAnthropic,
  "openai-chat": strictOpenaiChat,
  "openai-responses": strictOpenaiResponses,
  google: strictGoogle,
  ollama: strictOllama,
};

/** The key that the provider knows. */
export const PROVIDER_KEY = "the-providers-key";

export interface StrictProvider {
  url: string;
  /** What `connect` is given. */
  baseUrl: string;
  model: string;
  /** What was asked and taken, in order. */
  requests: Received[];
  refusals: string[];
  close(): Promise<void>;
}

/** A provider on a real socket that refuses what the real API refuses. */
export async function strictProvider(name: ApiName): Promise<StrictProvider> {
  const api = apis[name];
  const requests: Received[] = [];
  const refusals: string[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await received(incoming);
    const isKnown = api.keyOf(request.headers) === PROVIDER_KEY;
    const refusal = isKnown ? api.refusal(request) : "invalid key";
    if (refusal !== undefined) {
      refusals.push(refusal);
      response.writeHead(isKnown ? 400 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(api.error(refusal)));
      return;
    }
    requests.push(request);
    send(api, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url, baseUrl: `${url}${api.base}`, model: api.model, requests, refusals, close };
}

function send(api: StrictApi, request: Received, response: ServerResponse): void {
  if (!api.streams(request)) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(api.whole(request)));
    return;
  }
  const type = api.framing === "sse" ? "text/event-stream" : "application/x-ndjson";
  response.writeHead(200, { "content-type": type });
  for (const { event, data } of api.stream(request)) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const named = event === undefined ? {} : { event };
    response.write(api.framing === "sse" ? formatSse({ data: text, ...named }) : `${text}\n`);
  }
  response.end();
}

async function received(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  return { path: request.url ?? "", headers: request.headers, body: isObject(body) ? body : {} };
}
