import { newId } from "../../core/ids.js";
import type { UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feeds } from "../../runtime/feeds.js";
import { sentBy } from "../../runtime/sent-mark.js";
import { requireBudgetFor } from "../budgets.js";
import type { Gateway, HttpReply } from "../types.js";
import type { AnswerClient } from "./answer-client.js";
import { AnswerFeed, type AnswerSubject } from "./answer-feed.js";
import type { Envelope } from "./chunk-writer.js";
import { type EventStreamOptions, eventStream } from "./event-stream.js";
import { promptBefore, storedFrames } from "./stored-answers.js";
import { type Answered, type Stream, WaitingClient } from "./waiting-client.js";

/** How a protocol writes answers, and which permission requests end its streams. */
export type AnswerStreamsOptions<C> = Omit<AnswerSubject<C>, "conversation"> & EventStreamOptions;

/** A message for a conversation, as a client sent it. */
export interface Sent {
  /** Without an id it gets a new one. */
  message: UserMessage;
  /** A message with a known key is not sent again: the client gets the earlier answer. */
  idempotencyKey: string | undefined;
}

/** A protocol's streams: the answer to a message, and the rest of an answer in progress. */
export class AnswerStreams<C> {
  readonly #gateway: Gateway;
  readonly #options: AnswerStreamsOptions<C>;
  readonly #feeds = new Feeds((subject: AnswerSubject<C>) => new AnswerFeed(subject));

  constructor(gateway: Gateway, options: AnswerStreamsOptions<C>) {
    this.#gateway = gateway;
    this.#options = options;
  }

  /** Sends a message and streams its answer. The run continues if the client disconnects. */
  async send(stream: Stream<C>, { message, idempotencyKey }: Sent): Promise<HttpReply> {
    const { conversation, request } = stream;
    await requireBudgetFor(this.#gateway, request.caller, conversation);
    const trace = this.#gateway.runtime.telemetry?.readContext(request.headers);
    const given = sentBy(request.caller.token, { ...message, id: message.id ?? newId() }, trace);
    return this.#open(stream, async (waiting, client) => {
      waiting.feed.follow(given.id, client);
      const accepted =
        idempotencyKey === undefined
          ? await conversation.send(given, "followup")
          : await conversation.sendOnce(idempotencyKey, given, "followup");
      const { id } = accepted.message;
      if (id !== given.id) {
        waiting.feed.leave(client);
        waiting.feed.follow(id, client);
      }
      void waiting.finishIdle(client, { messageId: id, isRepeated: id !== given.id });
    });
  }

  /** Streams the answer to a message that was sent before, from its beginning. */
  async follow(stream: Stream<C>, messageId: string): Promise<HttpReply> {
    return this.#open(stream, async (waiting, client) => {
      waiting.feed.follow(messageId, client);
      void waiting.finishIdle(client, { messageId, isRepeated: true });
    });
  }

  /** Streams the answer in progress from its beginning; undefined if there is none. */
  async join(stream: Stream<C>): Promise<HttpReply | undefined> {
    const { conversation } = stream;
    if (!conversation.busy && conversation.elsewhere === undefined) return undefined;
    const waiting = this.#claim(conversation);
    return waiting.whenReady(async () => {
      if (conversation.busy && (await waiting.feed.hasAnswer())) {
        const client = waiting.open(stream);
        waiting.feed.join(client);
        return eventStream(this.#options, client.frames);
      }
      waiting.leave();
      return undefined;
    });
  }

  /** Streams all answers of a conversation, and the rest of the one in progress. */
  async connect(
    { conversation, request }: Omit<Stream<C>, "envelope">,
    envelopeFor: (prompt: UserMessage) => Envelope<C>,
  ): Promise<HttpReply> {
    const waiting = this.#claim(conversation);
    return waiting.whenReady(async () => {
      if (conversation.busy) await waiting.feed.hasAnswer();
      const messages = await conversation.messages();
      const { prompt } = waiting.feed.answer ?? {};
      const end = prompt === undefined ? -1 : messages.findIndex(({ id }) => id === prompt.id);
      const earlier = end < 0 ? messages : messages.slice(0, end);
      const stored = storedFrames(earlier, this.#options.makeWriter, envelopeFor);
      if (prompt === undefined) {
        waiting.leave();
        return eventStream(this.#options, undefined, stored);
      }
      const client = waiting.open({ envelope: envelopeFor(prompt), request });
      waiting.feed.join(client);
      return eventStream(this.#options, client.frames, stored);
    });
  }

  /**
   * Streams the rest of an answer after permission requests, which `answer` answers. If the run has continued meanwhile, the
   * client gets everything since then.
   */
  async resume(stream: Stream<C>, answered: Answered, answer: () => Promise<void>): Promise<HttpReply> {
    const { toolCallIds } = answered;
    return this.#open(
      stream,
      async (waiting, client) => {
        const from = waiting.feed.answer?.endOfRequest(toolCallIds);
        if (from !== undefined) waiting.feed.join(client, from);
        await answer();
        const messageId = promptBefore(await stream.conversation.messages(), toolCallIds);
        void waiting.finishIdle(client, { messageId, isRepeated: true, toolCallIds });
      },
      (request) => answered.has(request),
    );
  }

  /** The stream of a client that `attach` has attached to the answer it waits for. */
  async #open(
    stream: Stream<C>,
    attach: (waiting: WaitingClient<C>, client: AnswerClient<C>) => Promise<void>,
    hasAnswered?: Answered["has"],
  ): Promise<HttpReply> {
    const waiting = this.#claim(stream.conversation);
    const client = waiting.open(stream, hasAnswered);
    return waiting.whenReady(async () => {
      await attach(waiting, client);
      return eventStream(this.#options, client.frames);
    });
  }

  #claim(conversation: Conversation): WaitingClient<C> {
    const { makeWriter, pausesFor } = this.#options;
    return new WaitingClient(this.#gateway, this.#feeds, { conversation, makeWriter, pausesFor });
  }
}
