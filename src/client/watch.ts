import { EventQueue } from "../core/async/event-queue.js";
import { DragomanError } from "../core/error.js";
import { AnswerProgress } from "../core/stream/answer-progress.js";
import { joinDeltas } from "../core/stream/event-line.js";
import type {
  Params,
  Result,
  RpcAgentEvent,
  RpcAgentStep,
  RpcCursor,
  RpcEvent,
  RpcPermissionRequest,
  RpcStored,
} from "../protocol/schema.js";

/** An event of a session, for a program that shows it. */
export type WatchEvent =
  /** A stored message, sent once. For an answer it is the full message that its deltas make up. */
  | ({ type: "message" } & RpcStored)
  /** A step of a run, as `dragoman chat --json` writes it; messages are named here and sent in full as `message`. */
  | ({ runId: string } & RpcAgentStep)
  /** The server restarted during the run. The stored part of the answer was sent as a message. */
  | { type: "run_end"; runId: string; outcome: "unknown"; error?: never }
  | { type: "permission"; state: "asked"; request: RpcPermissionRequest }
  | { type: "permission"; state: "answered"; id: string }
  | { type: "connection"; state: "open" | "lost" };

export interface WatchOptions {
  /** The position to continue from: `next` of the last message you have (default: only new events). */
  after?: number;
  /** Whether to receive permission requests; needs the scope `admin`. */
  asks?: boolean;
  /** Ends the loop, also while it is waiting for an event. */
  signal?: AbortSignal;
}

/** Follows one session across reconnections. */
export class Watch {
  readonly queue: EventQueue<WatchEvent>;
  readonly sessionKey: string;
  readonly #asks: boolean;
  #cursor: RpcCursor | undefined;
  #permissions = new Set<string>();
  readonly #progress = new AnswerProgress();
  /** The session's key in the server's events; undefined without a subscription. */
  #key: string | undefined;
  #left = false;

  constructor(sessionKey: string, { after, asks = false }: WatchOptions, onLeave: () => void) {
    this.sessionKey = sessionKey;
    this.#asks = asks;
    if (after !== undefined) this.#cursor = { position: after };
    this.queue = new EventQueue({
      join,
      onLeave: () => {
        this.#left = true;
        onLeave();
      },
    });
  }

  /** Subscribes, and catches up on missed events. */
  async join(
    subscribe: (
      params: Params<"chat.subscribe">,
      onResult: (answer: Result<"chat.subscribe">) => void,
    ) => Promise<Result<"chat.subscribe">>,
  ): Promise<void> {
    for (let live = false; !live && !this.#left; ) {
      const params: Params<"chat.subscribe"> = {
        sessionKey: this.sessionKey,
        events: ["agent", "message", "permission"],
        ...(this.#asks ? { asks: true } : {}),
        ...(this.#cursor === undefined ? {} : { after: this.#cursor }),
      };
      ({ live } = await subscribe(params, (answer) => this.#catchUp(answer)));
    }
  }

  end(failure?: { error: unknown }): void {
    this.queue.end(failure);
  }

  lost(): void {
    if (this.#key === undefined) return;
    this.#key = undefined;
    this.queue.push({ type: "connection", state: "lost" });
  }

  accept({ event, data }: RpcEvent): void {
    if (event === "session" || data.sessionKey !== this.#key) return;
    if (event === "message") this.#message(data);
    else if (event === "agent") this.#agent(data);
    else if (event !== "permission") return;
    else if (data.state === "asked") this.#asked(data.request);
    else this.#answered(data.id);
  }

  #catchUp({ sessionKey, messages, live, cursor, run, ended, permissions }: Result<"chat.subscribe">): void {
    for (const stored of messages) this.#message(stored);
    const { runId: before, seq = 0 } = this.#cursor ?? {};
    if (!live) {
      this.#cursor = { ...this.#cursor, position: cursor.position };
      return;
    }
    this.#key = sessionKey;
    this.queue.push({ type: "connection", state: "open" });
    if (before !== undefined && before !== run?.runId) {
      this.queue.push({ type: "run_end", ...(ended ?? { runId: before, outcome: "unknown" }) });
      // If the run turns out to be in progress, its answer is shown from the beginning.
      this.#progress.reset();
    }
    this.#cursor = cursor;
    // Another gateway may not know which part of the answer this client has, and then sends all of it.
    if (before === run?.runId && run !== undefined && run.seq < seq) this.#progress.repeat();
    // A run that was already under way, unless its start is among the events that follow.
    if (run !== undefined && run.runId !== before && run.seq > 0) {
      this.queue.push({ type: "run_start", runId: run.runId });
    }
    const open = new Set(permissions.map(({ id }) => id));
    for (const id of this.#permissions) if (!open.has(id)) this.#answered(id);
    for (const request of permissions) this.#asked(request);
  }

  #message({ message, position, next }: RpcStored): void {
    const expected = this.#cursor?.position ?? position;
    if (position < expected) return;
    this.#cursor = { ...this.#cursor, position: next };
    if (message.role === "assistant") this.#progress.complete(message.id);
    this.queue.push({ type: "message", message, position, next });
  }

  #agent({ runId, seq, fromSeq = seq, data }: RpcAgentEvent): void {
    const { position = 0, runId: known, seq: last = 0 } = this.#cursor ?? {};
    const seen = known === runId ? last : 0;
    if (fromSeq !== seen + 1) {
      throw new DragomanError("client/bad-frame", `event ${fromSeq} of run ${runId} follows event ${seen}`);
    }
    this.#cursor = data.type === "run_end" ? { position } : { position, runId, seq };
    const step = this.#progress.accept(data);
    if (step === undefined) return;
    if (step.type === "run_end") this.#progress.reset();
    if (step.type !== "message_update") this.queue.push({ runId, ...step });
    else this.queue.push({ type: step.type, runId, assistantMessageEvent: step.assistantMessageEvent });
  }

  #asked(request: RpcPermissionRequest): void {
    if (this.#permissions.has(request.id)) return;
    this.#permissions.add(request.id);
    this.queue.push({ type: "permission", state: "asked", request });
  }

  #answered(id: string): void {
    if (!this.#permissions.delete(id)) return;
    this.queue.push({ type: "permission", state: "answered", id });
  }
}

function join(last: WatchEvent, next: WatchEvent): WatchEvent | undefined {
  if (last.type !== "message_update" || next.type !== "message_update") return undefined;
  const delta = joinDeltas(last.assistantMessageEvent, next.assistantMessageEvent);
  return delta === undefined || last.runId !== next.runId
    ? undefined
    : { ...last, assistantMessageEvent: delta };
}
