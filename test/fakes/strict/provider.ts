import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "../../../src/core/json/value.js";
import type { ApiName } from "../../../src/dialects/registry.js";
import { formatSse } from "../../../src/framing/sse-format.js";
import { Refusal } from "../refusal.js";
import { strictAnthropic } from "./anthropic.js";
import type { Received, StrictApi } from "./api.js";
import { strictGoogle } from "./google.js";
import { strictOllama } from "./ollama.js";
import { strictOpenaiChat } from "./openai-chat.js";
import { strictOpenaiResponses } from "./openai-responses.js";
import { lookups, type Script, type Turn } from "./script.js";

const apis = {
  anthropic: strictAnthropic,
  "openai-chat": strictOpenaiChat,
  "openai-responses": strictOpenaiResponses,
  google: strictGoogle,
  ollama: strictOllama,
} satisfies Partial<Record<ApiName, StrictApi>>;

/** The APIs that the gateway serves. */
export type ServedApi = keyof typeof apis;

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

/** A provider on a real socket that refuses what the real API refuses, with a model that plays a script. */
export async function strictProvider(name: ServedApi, script: Script = lookups): Promise<StrictProvider> {
  const api: StrictApi = apis[name];
  const requests: Received[] = [];
  const refusals: string[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await received(incoming);
    const isKnown = api.keyOf(request.headers) === PROVIDER_KEY;
    const turn = isKnown ? answerTo(api, request, script) : "invalid key";
    if (typeof turn === "string") {
      refusals.push(turn);
      response.writeHead(isKnown ? 400 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(api.error(turn)));
      return;
    }
    requests.push(request);
    send(api, request, turn, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url, baseUrl: `${url}${api.base}`, model: api.model, requests, refusals, close };
}

/** The model's turn, or why the request is refused: by the API, or because the script cannot go on. */
function answerTo(api: StrictApi, request: Received, script: Script): Turn | string {
  const refusal = api.refusal(request);
  if (refusal !== undefined) return refusal;
  try {
    return script(api.situation(request));
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function send(api: StrictApi, request: Received, turn: Turn, response: ServerResponse): void {
  if (!api.streams(request)) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(api.whole(request, turn)));
    return;
  }
  const type = api.framing === "sse" ? "text/event-stream" : "application/x-ndjson";
  response.writeHead(200, { "content-type": type });
  for (const { event, data } of api.stream(request, turn)) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const named = event === undefined ? {} : { event };
    response.write(api.framing === "sse" ? formatSse({ data: text, ...named }) : `${text}\n`);
  }
  response.end();
}

async function received(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  // Requests for lists have no body.
  const body: unknown = text === "" ? {} : JSON.parse(text);
  return { path: request.url ?? "", headers: request.headers, body: isObject(body) ? body : {} };
}
