import { onAbort } from "../../core/async/on-abort.js";
import { DragomanError } from "../../core/error.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AgentMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { Feeds } from "../../runtime/feeds.js";
import type { Gateway, HttpRequest } from "../types.js";
import { AnswerClient } from "./answer-client.js";
import type { AnswerFeed, AnswerSubject } from "./answer-feed.js";
import type { Envelope } from "./chunk-writer.js";
import { storedAnswer } from "./stored-answers.js";

/** A client's request for an answer of a conversation. */
export interface Stream<C> {
  request: Pick<HttpRequest, "caller" | "client" | "headers">;
  conversation: Conversation;
  envelope: Envelope<C>;
}

/** The answer that a client waits for. */
export interface Sought {
  messageId: string | undefined;
  /** The message was sent before. */
  isRepeated: boolean;
  /** The client has everything up to the permission requests for these calls. */
  toolCallIds?: ReadonlySet<string>;
}

/** What a client has answered of an answer that waits. */
export interface Answered {
  /** The calls that it was asked about: it has everything up to there. */
  toolCallIds: ReadonlySet<string>;
  has(request: PermissionRequest): boolean;
}

/** A client that waits for an answer. It claims the conversation's feed until its stream ends, or something fails. */
export class WaitingClient<C> {
  readonly feed: AnswerFeed<C>;
  readonly #gateway: Pick<Gateway, "limits" | "closing">;
  readonly #subject: AnswerSubject<C>;
  readonly #undo: (() => void)[];
  #client: AnswerClient<C> | undefined;

  constructor(
    gateway: Pick<Gateway, "limits" | "closing">,
    feeds: Feeds<AnswerSubject<C>, AnswerFeed<C>>,
    subject: AnswerSubject<C>,
  ) {
    this.#gateway = gateway;
    this.#subject = subject;
    const feed = feeds.claim(subject);
    this.feed = feed;
    this.#undo = [() => feeds.release(subject, feed)];
  }

  /** Begins its stream, which requests that it has answered do not end. */
  open(
    { envelope, request }: Pick<Stream<C>, "envelope" | "request">,
    hasAnswered: (request: PermissionRequest) => boolean = () => false,
  ): AnswerClient<C> {
    const client = new AnswerClient<C>({
      envelope,
      unreadBytes: this.#gateway.limits.unreadBytes,
      hasAnswered,
      onLeave: () => this.#release(),
    });
    this.#client = client;
    this.#undo.push(
      () => this.feed.leave(client),
      request.client.onLeave(() => this.leave()),
      onAbort(this.#gateway.closing, () =>
        client.fail("the gateway is shutting down; the session is stored"),
      ),
    );
    return client;
  }

  /** Does the work when the answer in progress is known, also if another gateway gives it. If it fails, the client leaves. */
  async whenReady<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.feed.ready;
      await this.#subject.conversation.elsewhere?.located();
      return await work();
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  leave(): void {
    if (this.#client === undefined) this.#release();
    else void this.#client.frames.return();
  }

  /** Ends the stream of an answer that does not arrive as events: it was given before, or by another process. */
  async finishIdle(client: AnswerClient<C>, { isRepeated, ...sought }: Sought): Promise<void> {
    const { conversation } = this.#subject;
    let why = "the agent could not run";
    try {
      await conversation.idle();
      // The process that accepted it may have been killed before it answered.
      if (isRepeated && !client.ended) await conversation.resume();
      await this.feed.feed.drained();
      if (client.ended) return;
      if (client.attached) this.feed.settle();
      else this.#replay(client, sought, await conversation.messages());
    } catch (error) {
      why = error instanceof DragomanError ? error.message : why;
    }
    client.fail(why);
  }

  #replay(
    client: AnswerClient<C>,
    { messageId, toolCallIds = new Set() }: Omit<Sought, "isRepeated">,
    messages: readonly AgentMessage[],
  ): void {
    const answer = storedAnswer(this.#subject.makeWriter(), messages, messageId);
    if (answer === undefined) return;
    client.begin(answer, answer.endOfRequest(toolCallIds) ?? 0);
    client.end();
  }

  #release(): void {
    for (const step of this.#undo.splice(0)) step();
  }
}
