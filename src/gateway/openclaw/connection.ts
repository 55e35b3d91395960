import type { Conversation } from "../../runtime/conversation.js";
import { refuse } from "../refusals.js";
import type { Caller, ClientSocket } from "../types.js";
import type { Hub } from "./hub.js";
import { methods } from "./methods.js";
import { Params } from "./params.js";
import type { SessionClient, SessionRendering } from "./rendering.js";
import { allows, type OperatorScope } from "./scopes.js";
import { errorFrame, isOurFault, type RequestFrame, readRequest, resultFrame, wireError } from "./wire.js";

const MAX_IN_FLIGHT = 64;
/** How many sessions a client can follow, or wait for. */
const MOST_FOLLOWED = 1000;

/** What a client has been granted, and can show. */
export interface ConnectionOptions {
  permit: Caller;
  scopes: readonly OperatorScope[];
  caps: readonly string[];
  requestId: string;
}

interface Followed {
  rendering: SessionRendering;
  client: SessionClient;
}

/** One client that has logged in. */
export class Connection {
  readonly permit: Caller;
  readonly #socket: ClientSocket;
  readonly #hub: Hub;
  readonly #options: ConnectionOptions;
  readonly #followed = new Map<Conversation, Followed>();
  /** Sessions that do not exist yet, whose messages the client wants. */
  readonly #awaited = new Set<string>();
  readonly #changes: { caller: Caller; send: (frame: (seq: number) => string) => void };
  #seq = 0;
  #inFlight = 0;
  #isClosed = false;

  constructor(socket: ClientSocket, hub: Hub, options: ConnectionOptions) {
    this.#socket = socket;
    this.#hub = hub;
    this.#options = options;
    this.permit = options.permit;
    this.#changes = { caller: options.permit, send: (frame) => this.send(frame) };
    hub.add(this);
    socket.onMessage((text) => void this.#handle(text));
    socket.onClose(() => this.#close());
  }

  get mayApprove(): boolean {
    return allows(this.#options.scopes, "operator.approvals");
  }

  /** Sends an event with the connection's next number. */
  send(frame: (seq: number) => string): void {
    this.#socket.send(frame(++this.#seq));
  }

  /** The client is told when any session changes. */
  subscribeToSessions(): void {
    this.#hub.changes.join(this.#changes);
  }

  unsubscribeFromSessions(): void {
    this.#hub.changes.leave(this.#changes);
  }

  /** The client gets the messages of a session as soon as it exists. */
  awaitSession(key: string): void {
    this.#requireRoom();
    this.#awaited.add(key);
  }

  /** A session has changed; the client may wait for it. */
  observe(key: string, conversation: Conversation): void {
    if (!this.#awaited.delete(key)) return;
    this.follow(conversation, true).catch((error: unknown) => {
      this.#hub.gateway.logger.error(
        { err: error, id: this.#options.requestId },
        "could not follow a session",
      );
      this.#socket.close(1013, "the session cannot be followed");
    });
  }

  /** The client gets a session's runs from now on, and its messages if it wants them. */
  async follow(conversation: Conversation, wantsMessages: boolean): Promise<SessionRendering> {
    const known = this.#followed.get(conversation);
    if (known !== undefined) {
      known.client.wantsMessages ||= wantsMessages;
      await known.rendering.ready;
      return known.rendering;
    }
    this.#requireRoom();
    const rendering = this.#hub.feeds.claim({ conversation });
    const client: SessionClient = {
      wantsMessages,
      wantsTools: this.#options.caps.includes("tool-events"),
      send: (frame) => this.send(frame),
      fail: (reason) => this.#socket.close(1013, reason),
    };
    this.#followed.set(conversation, { rendering, client });
    rendering.join(client);
    if (this.#isClosed) this.unfollow(conversation);
    await rendering.ready;
    // A client that joins is shown the run on another gateway, if there is one.
    await conversation.elsewhere?.located();
    return rendering;
  }

  unfollow(conversation: Conversation): void {
    const known = this.#followed.get(conversation);
    if (known === undefined) return;
    this.#followed.delete(conversation);
    known.rendering.leave(known.client);
    this.#hub.feeds.release({ conversation }, known.rendering);
  }

  stopAwaiting(key: string): void {
    this.#awaited.delete(key);
  }

  /** A session that the client did not subscribe to is followed until its run has ended. */
  async unfollowWhenIdle(conversation: Conversation): Promise<void> {
    const known = this.#followed.get(conversation);
    await conversation.idle();
    await known?.rendering.feed.drained();
    if (known?.client.wantsMessages === false && !conversation.busy) this.unfollow(conversation);
  }

  async #handle(text: string): Promise<void> {
    const request = readRequest(text);
    if ("error" in request) {
      if (request.id === undefined) this.#socket.close(1008, request.error.message.slice(0, 100));
      else this.#socket.send(errorFrame(request.id, request.error));
      return;
    }
    const { id } = request;
    this.#inFlight++;
    try {
      this.#socket.send(resultFrame(id, (await this.#answer(request)) ?? null));
    } catch (error) {
      const { gateway } = this.#hub;
      const fields = { err: error, method: request.method, id: this.#options.requestId };
      if (isOurFault(error) && !gateway.closing.aborted) gateway.logger.error(fields, "a request failed");
      this.#socket.send(errorFrame(id, wireError(error)));
    } finally {
      this.#inFlight--;
    }
  }

  async #answer({ method, params }: RequestFrame): Promise<unknown> {
    const { gateway } = this.#hub;
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
    gateway.metrics.count("dragoman_openclaw_requests_total", {
      method: known === undefined ? "unknown" : method,
    });
    if (known === undefined) throw refuse("invalid_request", `unknown method: ${method.slice(0, 100)}`);
    if (gateway.closing.aborted) throw refuse("service_unavailable", "the gateway is shutting down");
    if (this.#inFlight > MAX_IN_FLIGHT) throw refuse("rate_limited", "too many requests at once");
    const { scope } = known;
    if (!allows(this.#options.scopes, scope)) {
      throw refuse("forbidden", `missing scope: ${scope}`, {
        details: { code: "MISSING_SCOPE", missingScope: scope, requiredScopes: [scope] },
      });
    }
    return known.handle(new Params(method, params), {
      hub: this.#hub,
      gateway,
      connection: this,
      permit: this.permit,
    });
  }

  #requireRoom(): void {
    if (this.#followed.size + this.#awaited.size < MOST_FOLLOWED) return;
    throw refuse("rate_limited", `a client can follow at most ${MOST_FOLLOWED} sessions`);
  }

  #close(): void {
    this.#isClosed = true;
    this.#hub.remove(this);
    this.unsubscribeFromSessions();
    for (const conversation of [...this.#followed.keys()]) this.unfollow(conversation);
  }
}
