import { systemClock } from "../../core/async/clock.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feeds } from "../../runtime/feeds.js";
import type { Gateway, HttpReply, HttpRequest, Protocol, Refusal } from "../types.js";
import { optionalText, readBody, readObject, readThreadBody, threadIdOf } from "./bodies.js";
import { ThreadFeed } from "./feed.js";
import { timbalReason } from "./reasons.js";
import { sendToThread } from "./sending.js";
import { readSentMessage } from "./sent-message.js";
import { openMultiplexed, openThread, type Schedule } from "./streams.js";
import { isEnded, noThread, type Thread, Threads } from "./threads.js";

export interface TimbalOptions {
  /** For tests (default: the system's clock). */
  schedule?: Schedule;
}

/** Timbal HTTP/1.0: threads under `/v1/threads`, and their streams. */
export function timbalProtocol(
  gateway: Gateway,
  { schedule = systemClock.after }: TimbalOptions = {},
): Protocol {
  const { runtime } = gateway;
  const threads = new Threads(runtime);
  const feeds = new Feeds((thread: Thread) => new ThreadFeed(thread, gateway.logger));
  const now = () => gateway.now();
  const world = { gateway, threads, feeds, schedule, now };

  async function create(request: HttpRequest): Promise<HttpReply> {
    const id = threadIdOf(request);
    const { thread, isNew } = await threads.make(id, await readThreadBody(request, runtime));
    const status = isNew ? "created" : "exists";
    return { status: isNew ? 201 : 200, json: { ...describeThread(thread, request), status } };
  }

  async function read(request: HttpRequest): Promise<HttpReply> {
    const id = threadIdOf(request);
    const thread = await threads.find(id, request.caller);
    if (thread === undefined || (await isEnded(thread))) throw noThread(id);
    const status = thread.conversation.busy ? "processing" : "idle";
    return { status: 200, json: { ...describeThread(thread, request), status, agent: thread.agent } };
  }

  async function send(request: HttpRequest): Promise<HttpReply> {
    const id = threadIdOf(request);
    const receivedAt = now();
    const sent = readSentMessage(await readObject(request));
    const key = request.headers["idempotency-key"];
    const trace = gateway.runtime.telemetry?.readContext(request.headers);
    const options = { ...(typeof key === "string" ? { key } : {}), trace };
    const { messageId } = await sendToThread(world, { id, permit: request.caller }, sent, options);
    return {
      status: 202,
      json: { messageId, threadId: id, status: "processing", receivedAt: isoTime(receivedAt) },
    };
  }

  async function cancel(request: HttpRequest): Promise<HttpReply> {
    const thread = await threads.active(threadIdOf(request), request.caller);
    optionalText(await readBody(request, ["reason"]), "reason");
    thread.conversation.abort();
    return {
      status: 200,
      json: { threadId: thread.id, status: "cancelling", cancelledAt: isoTime(now()) },
    };
  }

  async function end(request: HttpRequest): Promise<HttpReply> {
    const id = threadIdOf(request);
    const thread = await threads.find(id, request.caller);
    if (thread === undefined || (await isEnded(thread))) throw noThread(id);
    await thread.conversation.describe({ archived: true });
    await stopAll(thread.conversation);
    return { status: 204 };
  }

  const path = "/v1/threads/:id";
  return {
    http: {
      keyHeaders: ["x-api-key"],
      under: ["/v1/threads", "/v1/stream"],
      refuse,
      routes: [
        { method: "POST", path, scope: "chat", handle: create },
        { method: "GET", path, scope: "read", handle: read },
        { method: "DELETE", path, scope: "admin", handle: end },
        { method: "POST", path: `${path}/messages`, scope: "chat", handle: send },
        { method: "POST", path: `${path}/cancel`, scope: "chat", handle: cancel },
      ],
    },
    sockets: [
      {
        path: `${path}/stream`,
        scope: "read",
        open: (socket, request) => openThread(world, socket, request),
      },
      { path: "/v1/stream", scope: "read", open: (socket) => openMultiplexed(world, socket) },
    ],
  };
}

function describeThread({ id, conversation }: Thread, { url }: HttpRequest): { [field: string]: string } {
  const scheme = url.protocol === "https:" ? "wss" : "ws";
  return {
    threadId: id,
    createdAt: isoTime(conversation.session.header.timestamp),
    streamUrl: `${scheme}://${url.host}/v1/threads/${id}/stream`,
  };
}

/** Also aborts the runs of queued messages. */
async function stopAll(conversation: Conversation): Promise<void> {
  const unwatch = conversation.watch(({ type }) => {
    if (type === "run_start") conversation.abort();
  });
  conversation.abort();
  await conversation.idle();
  unwatch();
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

function refuse(refusal: Refusal): HttpReply {
  const { status, message, details } = refusal;
  return { status, json: { error: timbalReason(refusal), message, details } };
}
