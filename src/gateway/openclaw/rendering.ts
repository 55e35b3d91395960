import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AgentMessage } from "../../core/types.js";
import type { Entry } from "../../log/types.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feed, type Follower } from "../../runtime/feed.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { nameOf } from "../session-name.js";
import type { Gateway } from "../types.js";
import { Display } from "./display.js";
import { absorbedRun, type InFlightRun, RunEvents, type RunPlace } from "./run-events.js";
import { runIdsOf } from "./run-names.js";
import { eventFrames, type WireEvent } from "./wire.js";

/** A client of one session. */
export interface SessionClient {
  /** Whether it gets the stored messages too. */
  wantsMessages: boolean;
  wantsTools: boolean;
  send(frame: (seq: number) => string): void;
  fail(reason: string): void;
}

export interface RenderingHooks {
  onRequest(request: PermissionRequest, place: RunPlace, runId: string | undefined): void;
  onRequestEnd(id: string, end: string): void;
}

/** One conversation as the protocol's events, written once for all of its clients. */
export class SessionRendering implements Follower {
  readonly feed: Feed;
  readonly conversation: Conversation;
  readonly place: RunPlace;
  /** Fulfilled when the number of messages is known. */
  readonly ready: Promise<void>;
  readonly #gateway: Pick<Gateway, "logger" | "now">;
  readonly #hooks: RenderingHooks;
  readonly #clients = new Set<SessionClient>();
  readonly #display = new Display();
  /** What arrives before it is ready. */
  #early: { entry?: Entry; handle: () => void }[] | undefined = [];
  #run: RunEvents | undefined;
  #isRunning: boolean;

  constructor(conversation: Conversation, gateway: Pick<Gateway, "logger" | "now">, hooks: RenderingHooks) {
    this.conversation = conversation;
    this.#gateway = gateway;
    this.#hooks = hooks;
    const { id, header } = conversation.session;
    this.place = { sessionKey: nameOf(conversation), sessionId: id, agentId: header.agent ?? MAIN };
    this.#isRunning = conversation.live.running;
    this.feed = Feed.follow(conversation, this);
    // Another follower may have begun the feed.
    const last = this.feed.start === undefined ? undefined : this.feed.last;
    this.ready = this.feed.ready.then(() => this.#begin(last));
    this.ready.catch((error) => this.onFailure(error));
  }

  /** The run in progress. */
  get runId(): string | undefined {
    return this.#run?.id;
  }

  /** What a client that joins has to know about the run in progress. */
  get inFlight(): InFlightRun | undefined {
    return this.#run?.inFlight;
  }

  /** How many messages clients have been sent, or can read from the log. */
  get count(): number {
    return this.#display.count;
  }

  close(): void {
    this.feed.leave(this);
  }

  join(client: SessionClient): void {
    this.#clients.add(client);
  }

  leave(client: SessionClient): void {
    this.#clients.delete(client);
  }

  onEntry(entry: Entry): void {
    this.#inOrder(() => this.#addStored(entry.message), entry);
  }

  onEvent(event: ConversationEvent): void {
    this.#inOrder(() => this.#addEvent(event));
  }

  onFailure(error: unknown): void {
    this.#gateway.logger.error({ err: error, session: this.place.sessionId }, "could not follow a session");
    for (const client of this.#clients) client.fail("the session cannot be followed");
    this.#clients.clear();
  }

  /** Everything before the first entry that is delivered is in the log. */
  async #begin(lastBefore: Entry | undefined): Promise<void> {
    const messages = await this.conversation.messages();
    const early = this.#early ?? [];
    const first = early.find(({ entry }) => entry !== undefined)?.entry;
    const last = lastBefore ?? (first === undefined ? this.feed.last : undefined);
    for (const message of messages) {
      if (first !== undefined && message.id === first.message.id) break;
      this.#display.show(message);
      if (last !== undefined && message.id === last.message.id) break;
    }
    if (this.#isRunning) {
      this.#continueRun();
      this.#run?.restore(this.conversation.live);
    }
    this.#early = undefined;
    for (const { handle } of early) handle();
  }

  #inOrder(handle: () => void, entry?: Entry): void {
    if (this.#early === undefined) handle();
    else this.#early.push(entry === undefined ? { handle } : { entry, handle });
  }

  #addStored(message: AgentMessage): void {
    const isFirst = this.#isRunning && this.#run === undefined;
    const shown = this.#display.show(message);
    if (shown !== undefined) {
      const { sessionKey, agentId } = this.place;
      const payload = {
        sessionKey,
        agentId,
        message: shown.message,
        messageId: shown.id,
        messageSeq: shown.seq,
      };
      this.#send({ event: "session.message", payload }, (client) => client.wantsMessages);
    }
    if (message.role === "assistant") this.#run?.addTurn(message);
    if (message.role !== "user" || !this.#isRunning) return;
    const name = this.#display.names.current;
    if (isFirst || name !== this.#run?.id) {
      this.#endRun("done", undefined);
      this.#continueRun();
    }
    for (const id of runIdsOf(message)) if (id !== name) this.#send(absorbedRun(id, this.place));
  }

  #addEvent(event: ConversationEvent): void {
    switch (event.type) {
      case "run_start":
        this.#isRunning = true;
        this.#display.names.close();
        return;
      case "agent":
        if (!this.#isRunning) return;
        // A resumed run has no new message.
        if (this.#run === undefined && event.event.type === "message_start") {
          if (event.event.message.role === "user") return;
          this.#continueRun();
        }
        for (const one of this.#run?.add(event.event) ?? []) this.#send(one, wants(one));
        return;
      case "run_end":
        this.#endRun(event.outcome, event.error);
        this.#isRunning = false;
        this.#display.names.close();
        return;
      case "permission": {
        const { request } = event;
        this.#hooks.onRequest(request, this.place, this.#run?.id);
        const waiting = this.#run?.wait("waiting-approval", request.id, request.toolCall.id);
        if (waiting !== undefined) this.#send(waiting);
        return;
      }
      case "permission_end": {
        this.#hooks.onRequestEnd(event.id, event.end);
        const ended = this.#run?.wait("approval-resolved", event.id);
        if (ended !== undefined) this.#send(ended);
        return;
      }
      default:
    }
  }

  /** Begins the run that the last user message names. */
  #continueRun(): void {
    const name = this.#display.names.current;
    if (name === undefined) return;
    this.#run = new RunEvents(name, this.place, this.#gateway.now);
    for (const event of this.#run.begin()) this.#send(event);
  }

  #endRun(...ended: Parameters<RunEvents["end"]>): void {
    const run = this.#run;
    this.#run = undefined;
    for (const event of run?.end(...ended) ?? []) this.#send(event);
  }

  #send(event: WireEvent, isWanted: (client: SessionClient) => boolean = () => true): void {
    let frame: ReturnType<typeof eventFrames> | undefined;
    for (const client of this.#clients) {
      if (!isWanted(client)) continue;
      frame ??= eventFrames(event);
      client.send(frame);
    }
  }
}

/** Tool calls are sent only to clients that show them. */
function wants({ payload }: WireEvent): (client: SessionClient) => boolean {
  const isTool = "stream" in payload && payload.stream === "tool";
  return (client) => !isTool || client.wantsTools;
}
