import { EventQueue } from "../../core/async/event-queue.js";
import { formatComment, formatSse } from "../../framing/sse-format.js";
import { type JsonRpcMessage, messageOf } from "../../mcp/checks.js";
import { type Answer, answerRequest } from "../../mcp/server/answer-request.js";
import { checkLegacy, isModern, metaOf } from "../../mcp/server/request-version.js";
import { failureMessage, RpcError } from "../../mcp/server/rpc-error.js";
import type { McpService } from "../../mcp/server/served-tool.js";
import type { JsonRpcNotification, JsonRpcRequest } from "../../mcp/wire.js";
import { withSilences } from "../http/silences.js";
import type { Gateway, HttpReply, HttpRequest } from "../types.js";
import { OpenRequests } from "./open-requests.js";
import { serviceFor } from "./service-for.js";

/** Proxies close connections that are idle for a minute. */
const SILENCE_MS = 15_000;

/** Serves MCP clients. Nothing is kept between requests, so that a restart goes unnoticed. */
export class McpEndpoint {
  readonly #gateway: Gateway;
  readonly #serviceFor: typeof serviceFor;
  readonly #open = new OpenRequests();

  constructor(gateway: Gateway, service: typeof serviceFor = serviceFor) {
    this.#gateway = gateway;
    this.#serviceFor = service;
  }

  async handle(request: HttpRequest): Promise<HttpReply> {
    const read = messageOf(await request.json());
    if (read?.kind === "request") return this.#answer(request, read.message);
    if (read?.kind === "notification") return this.#accept(request, read.message);
    return refusal(
      null,
      new RpcError("invalidRequest", "the body is not a JSON-RPC request or notification"),
    );
  }

  #accept({ caller }: HttpRequest, { method, params }: JsonRpcNotification): HttpReply {
    if (method === "notifications/cancelled" && !this.#open.cancel(caller.token, params?.["requestId"])) {
      return refusal(null, new RpcError("invalidRequest", "several requests with this id are in progress"));
    }
    return { status: 202 };
  }

  async #answer(request: HttpRequest, message: JsonRpcRequest): Promise<HttpReply> {
    const { caller, headers } = request;
    const modern = isModern(message, headers);
    try {
      if (!modern) checkLegacy(headers);
    } catch (error) {
      if (error instanceof RpcError) return refusal(message.id, error);
      throw error;
    }
    const service = await this.#serviceFor(this.#gateway, caller);
    const controller = new AbortController();
    const undo = [
      // Only in the modern era does closing the connection cancel the request.
      modern ? request.client.onLeave(() => controller.abort()) : () => undefined,
      this.#open.add(caller.token, message.id, controller),
    ];
    const queue = new EventQueue<JsonRpcMessage>({ onLeave: () => undefined });
    const answer = answerRequest(service, message, {
      signal: controller.signal,
      notify: (notification) => queue.push(notification),
      headers,
    }).finally(() => {
      for (const step of undo) step();
    });
    if (wantsStream(service, message) && acceptsStream(request)) return streamed(queue, answer);
    const { message: json, status } = await answer;
    return { status, json };
  }
}

/** A call that reports progress or takes long is answered as a stream. */
function wantsStream({ tools }: McpService, { method, params = {} }: JsonRpcRequest): boolean {
  if (method !== "tools/call") return false;
  const tool = tools.find(({ name }) => name === params["name"]);
  return tool !== undefined && (tool.isSlow === true || metaOf(params)["progressToken"] !== undefined);
}

function acceptsStream({ headers: { accept = "" } }: HttpRequest): boolean {
  return accept.includes("text/event-stream");
}

function streamed(queue: EventQueue<JsonRpcMessage>, answer: Promise<Answer>): HttpReply {
  void answer.then(({ message }) => {
    queue.push(message);
    queue.end();
  });
  return {
    status: 200,
    headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
    stream: frames(queue),
  };
}

async function* frames(queue: EventQueue<JsonRpcMessage>): AsyncGenerator<string> {
  for await (const item of withSilences(queue, SILENCE_MS, undefined)) {
    yield item === undefined
      ? formatComment("")
      : formatSse({ event: "message", data: JSON.stringify(item) });
  }
}

function refusal(id: string | number | null, error: RpcError): HttpReply {
  return { status: 400, json: failureMessage(id, error) };
}
