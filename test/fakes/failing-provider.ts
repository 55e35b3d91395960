import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Api } from "../../src/core/api/provider.js";
import { type AssistantMessage, emptyUsage, events } from "../../src/core/index.js";
import { loadApi } from "../../src/dialects/registry.js";
import { models } from "./model-server.js";
import type { ServedApi } from "./strict/provider.js";
import { wireFraming } from "./wire-framing.js";

/**
 * What a provider does with a request: it answers with a text, sends an error, sends an error as the first event of a stream,
 * or cuts the connection at once, after the stream has begun, or in the middle of a text.
 */
export type Behaviour =
  | { text: string }
  | { error: "overload" | "rateLimit" | "context" | "failure"; headers?: Record<string, string> }
  | { streamError: string }
  | { cut: "at once" | "after the start" | "in the text" };

export interface FailingProvider {
  readonly model: string;
  readonly baseUrl: string;
  /** How often it was asked. */
  readonly asked: number;
  /** Why it refused requests; the real API would have refused them, too. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

export const KEY = "provider-key";

/** A provider on a real socket that checks the key and the request as the API does, and then behaves as it is told. */
export async function failingProvider(name: ServedApi, behaviour: Behaviour): Promise<FailingProvider> {
  const api = await loadApi(name);
  const refused: string[] = [];
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked++;
    const refusal = models[name].refusal(await bodyOf(request));
    if (!keysOf(request).includes(KEY)) sendJson(response, 401, errorBodies[name]("wrong key"));
    else if (refusal !== undefined) {
      refused.push(refusal);
      sendJson(response, 400, errorBodies[name](refusal));
    } else behave(name, api, behaviour, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    model: models[name].id,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    refused,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function behave(name: ServedApi, api: Api, behaviour: Behaviour, response: ServerResponse): void {
  const { type, frame } = wireFraming(api.framing);
  const framesOf = (message: AssistantMessage) => {
    const writer = api.streamWriter();
    return [...events(message, (text) => text.match(/.{1,4}/gsu) ?? [])].map((event) => ({
      type: event.type,
      bytes: Buffer.concat(writer.push(event).map(frame)),
    }));
  };
  if ("error" in behaviour) {
    const [status, message] = errors[name][behaviour.error];
    sendJson(response, status, errorBodies[name](message), behaviour.headers);
    return;
  }
  if ("cut" in behaviour && behaviour.cut === "at once") {
    response.destroy();
    return;
  }
  response.writeHead(200, { "content-type": type });
  if ("cut" in behaviour) {
    const frames = framesOf(says("Never to be read to its end."));
    const end =
      behaviour.cut === "in the text" ? frames.findIndex((each) => each.type === "text_delta") + 1 : 1;
    const bytes = Buffer.concat(frames.slice(0, end).map((each) => each.bytes));
    // Some APIs begin with the first piece of the text.
    if (bytes.length === 0) response.flushHeaders();
    response.write(bytes.length === 0 ? "\n" : bytes, () => response.destroy());
    return;
  }
  const message =
    "text" in behaviour
      ? says(behaviour.text)
      : { ...says(""), content: [], stopReason: "error" as const, errorMessage: behaviour.streamError };
  response.end(Buffer.concat(framesOf(message).map((each) => each.bytes)));
}

function says(text: string): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "",
    provider: "",
    model: "the-providers-name",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 1,
  };
}

const openai = {
  overload: [503, "The engine is currently overloaded, please try again later"],
  rateLimit: [429, "Rate limit reached for requests"],
  context: [
    400,
    "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens",
  ],
  failure: [500, "The server had an error while processing your request"],
} as const;

/** Status and words as the APIs document them. */
const errors: Record<
  ServedApi,
  Record<"overload" | "rateLimit" | "context" | "failure", readonly [number, string]>
> = {
  anthropic: {
    overload: [529, "Overloaded"],
    rateLimit: [429, "This request would exceed your organization's rate limit"],
    context: [400, "prompt is too long: 210000 tokens > 200000 maximum"],
    failure: [500, "Internal server error"],
  },
  "openai-chat": openai,
  "openai-responses": openai,
  google: {
    overload: [503, "The model is overloaded. Please try again later."],
    rateLimit: [429, "You exceeded your current quota, please check your plan and billing details."],
    context: [400, "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."],
    failure: [500, "An internal error has occurred."],
  },
  ollama: {
    overload: [503, "server busy, please try again. maximum pending requests exceeded"],
    rateLimit: [429, "too many requests"],
    context: [400, "the input length exceeds the context length"],
    failure: [500, "llama runner process has terminated"],
  },
};

const errorBodies: Record<ServedApi, (message: string) => object> = {
  anthropic: (message) => ({ type: "error", error: { type: "api_error", message } }),
  "openai-chat": (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
  "openai-responses": (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
  google: (message) => ({ error: { code: 400, message, status: "UNKNOWN" } }),
  ollama: (message) => ({ error: message }),
};

function sendJson(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function keysOf({ headers }: IncomingMessage): unknown[] {
  return [headers.authorization?.replace(/^Bearer /, ""), headers["x-api-key"], headers["x-goog-api-key"]];
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
