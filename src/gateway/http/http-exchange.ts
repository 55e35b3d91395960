import type { IncomingMessage, ServerResponse } from "node:http";
import { type Admission, requestIdOf } from "../auth/admission.js";
import { closingDown, notFound, plainRefusal, refusalOf, upgradeNeeded, wrongMethod } from "../refusals.js";
import {
  type Gateway,
  type HttpProtocol,
  type HttpReply,
  type Limits,
  type Refusal,
  RefusedError,
} from "../types.js";
import type { ByteBudget } from "./byte-budget.js";
import { ClientPresence } from "./client-presence.js";
import { noPage } from "./no-page.js";
import { readBytes, readJson } from "./request-body.js";
import type { Router, ServedRoute } from "./router.js";
import { type ReplyHeaders, safetyHeaders, writeReply } from "./write-reply.js";

/** The largest body that an unauthenticated sender may post. */
const HOOK_BYTES = 8 * 2 ** 20;
/** For all unauthenticated senders together. */
export const UNVERIFIED_BYTES = 8 * HOOK_BYTES;

export interface HttpWorld {
  gateway: Pick<Gateway, "logger" | "metrics" | "closing" | "now"> & { limits: Pick<Limits, "bodyBytes"> };
  router: Router;
  admission: Admission;
  stallMs: number;
  /** For bodies of unauthenticated requests; absent if there are no hooks. */
  unverified?: ByteBudget;
}

interface Outcome {
  reply: HttpReply;
  /** The route's path, for the metrics; `-` for pages and unknown paths. */
  route: string;
  token: string | undefined;
}

/** Answers a request; errors become refusals. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  world: HttpWorld,
): Promise<void> {
  const { logger, metrics, now } = world.gateway;
  const id = requestIdOf(request);
  const began = now();
  const client = new ClientPresence(response);
  // Sent with one `writeHead`: to set each of them on the response would check and look up each one twice.
  const headers: ReplyHeaders = { ...safetyHeaders, "x-request-id": id };

  const { reply, route, token } = await respond({ request, response, id, headers, client }, world);
  if (!request.complete) {
    headers["connection"] = "close";
    discardBody(request, world.gateway.limits.bodyBytes);
  }
  try {
    await writeReply(response, reply, headers, client, world.stallMs);
  } catch (error) {
    // The headers are sent; only a broken connection can show that the answer is incomplete.
    logger.error({ id, route, err: error }, "an answer was cut off");
    response.destroy();
  }
  const { method = "" } = request;
  const address = world.admission.addressOf(request);
  metrics.count("dragoman_http_requests_total", { route, method, status: String(reply.status) });
  logger.info({ id, method, route, status: reply.status, ms: now() - began, address, token }, "request");
}

/** A request that is being answered. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  /** The headers of the answer, whatever it is. */
  headers: ReplyHeaders;
  client: ClientPresence;
}

async function respond(exchange: Exchange, world: HttpWorld): Promise<Outcome> {
  const { request, response, id, headers: sent, client } = exchange;
  const { admission, router, gateway } = world;
  const { method = "" } = request;
  let served: ServedRoute | undefined;
  let token: string | undefined;
  const outcome = (reply: HttpReply): Outcome => ({ reply, route: served?.path ?? "-", token });
  try {
    const url = admission.targetOf(request);
    const origin = admission.originOf(request);
    if (origin !== undefined) allowOrigin(sent, origin);
    if (method === "OPTIONS" && origin !== undefined) return outcome(preflight(request));
    if (gateway.closing.aborted) throw closingDown();

    const page = method === "GET" || method === "HEAD" ? router.page(url.pathname) : undefined;
    if (page !== undefined) {
      admission.admitAnonymous(request);
      const { params } = page;
      return outcome(await page.route.reply({ url, params, headers: request.headers }));
    }

    const hook = method === "POST" ? router.hook(url.pathname) : undefined;
    if (hook !== undefined) {
      admission.admitAnonymous(request);
      const { params } = hook;
      const limit = Math.min(HOOK_BYTES, gateway.limits.bodyBytes);
      const body = () => readBytes(request, response, limit, world.unverified);
      return outcome(await hook.route.answer({ params, headers: request.headers, body }));
    }

    const { caller, rate } = await admission.admit(request);
    token = caller.token;
    Object.assign(sent, rate.headers);
    const match = router.http(method, url.pathname);
    if (match === undefined) throw noRoute(url.pathname, router);
    served = match.route;
    Object.assign(sent, served.protocol.rateHeaders?.(rate, gateway.now()));
    admission.authorize(caller, { scope: served.scope });
    const { params } = match;
    const { headers } = request;
    const json = () => readJson(request, response, gateway.limits.bodyBytes);
    return outcome(await served.handle({ id, method, url, params, headers, caller, client, json }));
  } catch (error) {
    const refusal = refusalOf(error);
    // Deliberate refusals are in the log line of the request.
    if (refusal.status >= 500 && !client.hasLeft && !(error instanceof RefusedError)) {
      gateway.logger.error({ id, method, route: served?.path ?? "-", err: error }, "a request failed");
    }
    const { url = "" } = request;
    const protocol = served?.protocol ?? router.protocolAt(url.replace(/[?#].*/, ""));
    if (protocol === undefined && isVisit(request, refusal)) return outcome(noPage(refusal));
    return outcome(formatRefusal(refusal, id, protocol));
  }
}

/** Whether a person opened an address that has no page. */
function isVisit({ method, headers }: IncomingMessage, { status }: Refusal): boolean {
  return (
    method === "GET" && (status === 401 || status === 404) && /\btext\/html\b/.test(headers.accept ?? "")
  );
}

function formatRefusal(refusal: Refusal, id: string, protocol: HttpProtocol | undefined): HttpReply {
  if (protocol === undefined) return plainRefusal(refusal);
  const reply = protocol.refuse(refusal, id);
  return { ...reply, headers: { ...refusal.headers, ...reply.headers } };
}

function noRoute(path: string, router: Router) {
  if (router.socket(path) !== undefined || router.guest(path) !== undefined) return upgradeNeeded();
  const methods = router.methods(path);
  return methods.length > 0 ? wrongMethod(methods) : notFound();
}

function allowOrigin(headers: ReplyHeaders, origin: string): void {
  headers["access-control-allow-origin"] = origin;
  // A page that may read the answer may also read its headers: request id, limits, session.
  headers["access-control-expose-headers"] = "*";
  headers["vary"] = "Origin";
}

/** The same for every path, so that it does not reveal which routes exist. */
function preflight({ headers }: IncomingMessage): HttpReply {
  const wanted = headers["access-control-request-headers"] ?? "";
  const plain = /^[A-Za-z0-9, -]+$/.test(wanted);
  return {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      ...(plain ? { "access-control-allow-headers": wanted } : {}),
      "access-control-max-age": "600",
    },
  };
}

/** Reads and drops the rest of a body, up to a limit, because many clients read the answer only after sending everything. */
function discardBody(request: IncomingMessage, limit: number): void {
  let left = limit;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}
