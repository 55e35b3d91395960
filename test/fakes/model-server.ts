import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import type { Api, StreamPayload } from "../../src/core/api/provider.js";
import { type AssistantMessage, events } from "../../src/core/index.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { loadApi } from "../../src/dialects/registry.js";
import { validateRequest as anthropic } from "./anthropic.js";
import { validateRequest as bedrock } from "./bedrock.js";
import { validateRequest as google } from "./google.js";
import { validateRequest as ollama } from "./ollama.js";
import { validateRequest as openaiChat } from "./openai-chat.js";
import { validateRequest as openaiResponses } from "./openai-responses.js";
import { wireFraming } from "./wire-framing.js";

/** A model behind each API, and the fake that refuses what the API refuses. */
export const models: Record<ApiName, { id: string; refusal(body: unknown): string | undefined }> = {
  anthropic: { id: "claude-opus-4-6", refusal: anthropic },
  "openai-chat": { id: "gpt-5.5", refusal: openaiChat },
  "openai-responses": { id: "gpt-5.5", refusal: openaiResponses },
  google: { id: "gemini-2.5-flash", refusal: (body) => google(body, "gemini-2.5-flash") },
  ollama: { id: "qwen3:8b", refusal: ollama },
  bedrock: { id: "anthropic.claude-sonnet-4-5-20250929-v1:0", refusal: bedrock },
};

/** What a provider does when it is asked: an answer, or an HTTP error. */
export type Reply = AssistantMessage | HttpError;

interface HttpError {
  status: number;
  headers?: Record<string, string>;
}

export interface ModelServer {
  readonly url: string;
  /** Plays a script to whoever asks, and notes what it refuses. */
  serve(api: ApiName, replies: readonly Reply[]): { refused: string[] };
}

/** A provider on a real socket, for the tests of a file or of a `describe`. */
export function modelServer(): ModelServer {
  let respond: (body: unknown) => Promise<HttpError & { type: string; body: string | Uint8Array }>;
  let url = "";
  const server = createServer(async (request, response) => {
    const { status, headers, type, body } = await respond(await bodyOf(request));
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(body);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  return {
    get url() {
      return url;
    },
    serve(api, replies) {
      const refused: string[] = [];
      let turn = 0;
      respond = async (body) => {
        const refusal = models[api].refusal(body);
        const next = replies[turn++];
        if (refusal !== undefined || next === undefined) {
          refused.push(refusal ?? "asked too often");
          return failed(400, refusal ?? "asked too often");
        }
        if ("status" in next) return { ...failed(next.status, "as the script says"), ...next };
        return wireOf(api, next);
      };
      return { refused };
    },
  };
}

function failed(status: number, message: string) {
  return { status, type: "application/json", body: JSON.stringify({ error: { message } }) };
}

export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** How a provider would send an answer. */
export async function wireOf(
  name: ApiName,
  message: AssistantMessage,
  adapt: (payload: StreamPayload) => StreamPayload = (payload) => payload,
) {
  const api: Api = await loadApi(name);
  const writer = api.streamWriter();
  const payloads = [...events(message, (text) => text.match(/.{1,9}/gsu) ?? [])].flatMap((event) =>
    writer.push(event),
  );
  const { type, frame } = wireFraming(api.framing);
  return { status: 200, type, body: Buffer.concat(payloads.map((payload) => frame(adapt(payload)))) };
}
