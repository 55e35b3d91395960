import { DragomanError } from "../../core/error.js";
import { checked, checks, isMethod } from "../../protocol/checks.js";
import type { MethodName, RpcRequest } from "../../protocol/schema.js";
import { includesScope } from "../auth/scope.js";
import { refuse } from "../refusals.js";
import type { ClientSocket, Gateway } from "../types.js";
import { ClientServers } from "./client-servers.js";
import { ClientTails } from "./client-tails.js";
import type { Context } from "./context.js";
import { rpcError } from "./failure.js";
import type { RpcFeeds } from "./feeds.js";
import { CODES, formatReply, isReply, type Reply, readFrame, refusal } from "./json-rpc.js";
import { handlers, MAX_IN_FLIGHT, scopes } from "./methods.js";
import type { SessionFeed } from "./session-feed.js";
import { requireShared } from "./shared-session.js";
import { Subscriptions } from "./subscriptions.js";

/** Serves one client while its socket is open. */
export function serve(
  socket: ClientSocket,
  gateway: Gateway,
  feeds: RpcFeeds,
  sessionFeed: SessionFeed,
  requestId: string,
): void {
  const gone = new AbortController();
  const subscriptions = new Subscriptions(socket, gateway, feeds);
  const servers = new ClientServers(gateway.runtime.sessionServers);
  const tails = new ClientTails();
  const signal = AbortSignal.any([gone.signal, gateway.closing]);
  const permit = socket.caller;
  const { scope } = permit;
  let inFlight = 0;

  /** Handles a request; undefined for a notification, which gets no reply. */
  async function reply(
    request: RpcRequest | Reply,
    afterReply: Context["afterReply"],
  ): Promise<Reply | undefined> {
    if (isReply(request)) return request;
    const { id, method, params } = request;
    const answer = await result(method, params ?? {}, {
      gateway,
      feeds,
      sessionFeed,
      permit,
      subscriptions,
      servers,
      tails,
      subscribeToSessions: () => sessionFeed.join(socket),
      signal,
      afterReply,
    });
    return id === undefined ? undefined : { id, body: answer };
  }

  async function result(method: string, params: unknown, context: Context): Promise<Reply["body"]> {
    gateway.metrics.count("dragoman_rpc_requests_total", { method: isMethod(method) ? method : "unknown" });
    if (!isMethod(method)) return refusal(null, CODES.noMethod, `Method not found: ${method}`).body;
    inFlight++;
    try {
      if (inFlight > MAX_IN_FLIGHT)
        throw refuse("rate_limited", "too many requests at once; wait for answers");
      return { result: await run(method, params, context) };
    } catch (error) {
      const reported = rpcError(error);
      if (reported !== undefined) return { error: reported };
      if (signal.aborted) return refusal(null, CODES.unavailable, "the gateway is shutting down").body;
      const code = error instanceof DragomanError ? { code: error.code } : {};
      gateway.logger.error({ err: error, method, id: requestId }, "a request failed");
      return {
        error: { code: CODES.internal, message: "Internal error", data: { ...code, requestId } },
      };
    } finally {
      inFlight--;
    }
  }

  function run<M extends MethodName>(method: M, params: unknown, context: Context): Promise<unknown> {
    if (gateway.closing.aborted) throw refuse("service_unavailable", "the gateway is shutting down");
    if (!includesScope(scope, scopes[method])) {
      throw refuse("forbidden", `"${method}" needs the scope "${scopes[method]}"`, { details: { scope } });
    }
    const checkedParams = checked(checks[method].params, params, "Invalid params");
    if (permit.session !== undefined) requireShared(method, checkedParams, permit.session);
    return handlers[method](checkedParams, context);
  }

  /** The socket has counted a batch as one request; the others are counted here. */
  async function replyInBatch(
    request: RpcRequest | Reply,
    index: number,
    afterReply: Context["afterReply"],
  ): Promise<Reply | undefined> {
    if (index === 0 || socket.charge() || isReply(request)) return reply(request, afterReply);
    const { id } = request;
    return id === undefined ? undefined : refusal(id, CODES.busy, "too many requests; slow down");
  }

  async function handleFrame(text: string): Promise<void> {
    const frame = readFrame(text);
    const afterwards: (() => void)[] = [];
    const afterReply = (work: () => void) => afterwards.push(work);
    if (frame.kind === "single") {
      const answer = await reply(frame.request, afterReply);
      if (answer !== undefined) socket.send(formatReply(answer));
    } else {
      const answers = await Promise.all(
        frame.requests.map((request, index) => replyInBatch(request, index, afterReply)),
      );
      const replies = answers.filter((answer) => answer !== undefined);
      if (replies.length > 0) socket.send(`[${replies.map(formatReply).join(",")}]`);
    }
    for (const work of afterwards) work();
  }

  socket.onMessage((text) => void handleFrame(text));
  socket.onClose(() => {
    gone.abort();
    subscriptions.close();
    tails.close();
    sessionFeed.leave(socket);
    servers.close().catch((error: unknown) => {
      gateway.logger.error({ err: error, id: requestId }, "could not stop the MCP servers of a client");
    });
  });
}
