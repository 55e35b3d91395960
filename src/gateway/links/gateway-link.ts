import type { QueueMode } from "../../agent/queue.js";
import { DragomanClient } from "../../client/client.js";
import { FrameWatch } from "../../client/frame-watch.js";
import type { SocketConstructor } from "../../client/socket.js";
import { systemClock } from "../../core/async/clock.js";
import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import type { FormContent } from "../../core/message/question.js";
import type { PermissionAnswer } from "../../core/types.js";
import type { MethodName, Params, Result, RpcEvent } from "../../protocol/schema.js";
import type { Owner, OwnerFollower } from "../../runtime/elsewhere/owner.js";
import type { Metrics } from "../types.js";

/** For the answer to a call, the connection included. */
const CALL_MS = 10_000;
/** A link that is not used for so long is closed. */
const IDLE_MS = 60_000;

export interface GatewayLinkOptions {
  /** The advertised URL of the other gateway. */
  url: string;
  metrics: Pick<Metrics, "count">;
  /** Proves both ends, for each connection. */
  credential(): Promise<string>;
  WebSocket: SocketConstructor;
  idleMs?: number;
}

/** The link to one other gateway: one connection for all sessions, reconnected while it is needed, closed when it is not. */
export class GatewayLink implements Owner {
  readonly #options: GatewayLinkOptions;
  #client: DragomanClient | undefined;
  #uses = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: GatewayLinkOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.url;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  follow(session: string, follower: OwnerFollower): () => void {
    const { metrics } = this.#options;
    const watch = new FrameWatch({
      sessionKey: session,
      wishes: async () => {
        const { position, run } = await follower.place();
        return { events: ["agent"], after: { position, ...run } };
      },
      onJoined: ({ cursor: { position }, run, ended }) => {
        follower.onJoin(defined({ position, run: run && { runId: run.runId, seq: run.seq }, ended }));
      },
      onEvent: (event) => passOn(event, follower),
      onLost: () => {
        metrics.count("dragoman_link_losses_total");
        follower.onLost();
      },
      onEnd: () => follower.onLost(),
    });
    const leave = this.#use().follow(watch);
    return () => {
      leave();
      this.#release();
    };
  }

  async deliver(session: string, messageId: string, mode: QueueMode, runId?: string): Promise<void> {
    await this.call("link.deliver", defined({ session, messageId, mode, runId }));
  }

  async abort(sessionKey: string, runId: string): Promise<boolean> {
    return (await this.call("chat.abort", { sessionKey, runId })).aborted;
  }

  async answer(
    sessionKey: string,
    id: string,
    answer: PermissionAnswer,
    content: FormContent,
  ): Promise<boolean> {
    return (await this.call("permission.answer", { sessionKey, id, answer, content })).answered;
  }

  /** Calls a method of the other gateway; rejected if it does not answer in time. */
  async call<M extends MethodName>(method: M, params: Params<M>, patienceMs = CALL_MS): Promise<Result<M>> {
    const calling = this.#use().call(method, params);
    const { metrics, url } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate(url, method)), patienceMs);
    });
    try {
      const result = await Promise.race([calling, late]);
      metrics.count("dragoman_link_calls_total", { method, outcome: "done" });
      return result;
    } catch (error) {
      // If it was late, it may still fail.
      calling.catch(() => undefined);
      metrics.count("dragoman_link_calls_total", { method, outcome: "failed" });
      throw error;
    } finally {
      clearTimeout(timer);
      this.#release();
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#client?.close();
    this.#client = undefined;
  }

  #use(): DragomanClient {
    clearTimeout(this.#idle);
    this.#uses++;
    this.#client ??= this.#connect();
    return this.#client;
  }

  #release(): void {
    this.#uses--;
    if (this.#uses > 0 || this.#client === undefined) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  #connect(): DragomanClient {
    const { url, WebSocket, credential, metrics } = this.#options;
    const client = new DragomanClient({
      url: `${url.replace(/^http/, "ws").replace(/\/$/, "")}/rpc`,
      WebSocket,
      world: systemClock,
      credential: async () => {
        try {
          const proof = await credential();
          metrics.count("dragoman_link_connects_total");
          return proof;
        } catch (error) {
          metrics.count("dragoman_link_failures_total");
          throw error;
        }
      },
    });
    client.start();
    return client;
  }
}

function passOn({ event, data }: RpcEvent, follower: OwnerFollower): void {
  if (event !== "agent") return;
  const { runId, seq, fromSeq, data: step } = data;
  follower.onStep(defined({ runId, seq, fromSeq, step }));
}

function tooLate(url: string, method: string): DragomanError {
  return new DragomanError("gateway/no-link", `the gateway at ${url} did not answer ${method} in time`, {
    hint: "check that this gateway can reach it",
  });
}
