import { onAbort } from "../../core/async/on-abort.js";
import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { idsOf } from "../../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../../core/types.js";
import { formatComment } from "../../framing/sse-format.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feeds } from "../../runtime/feeds.js";
import { sentBy } from "../../runtime/sent-mark.js";
import { requireBudgetFor } from "../budgets.js";
import { SILENCE, withSilences } from "../http/silences.js";
import type { Gateway, HttpReply, HttpRequest } from "../types.js";
import { Answer } from "./answer.js";
import { AnswerClient } from "./answer-client.js";
import { AnswerFeed, type AnswerSubject, frameOf } from "./answer-feed.js";
import type { ChunkWriter, Envelope } from "./chunk-writer.js";

/** Shorter than the idle time-outs of common proxies. */
const SILENCE_MS = 15_000;

export interface AnswerStreamsOptions<C> {
  makeWriter(): ChunkWriter<C>;
  pausesFor: AnswerSubject<C>["pausesFor"];
  headers?: Readonly<Record<string, string>>;
  /** How long a stream may be silent before a comment is sent (default: 15 seconds). */
  silenceMs?: number | undefined;
}

/** A message for a conversation, as a client sent it. */
export interface Sent {
  message: UserMessage;
  /** A message with a known key is not sent again: the client gets the earlier answer. */
  idempotencyKey: string | undefined;
}

interface Stream<C> {
  request: Pick<HttpRequest, "caller" | "signal" | "headers">;
  conversation: Conversation;
  envelope: Envelope<C>;
}

/** The answer that a client waits for. */
interface Sought {
  conversation: Conversation;
  messageId: string | undefined;
  /** The message was sent before. */
  isRepeated: boolean;
  /** The client has everything up to the permission requests for these calls. */
  toolCallIds?: ReadonlySet<string>;
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
    const given = sentBy(request.caller.token, { ...message, id: newId() }, trace);
    const { feed, client } = this.#open(stream);
    try {
      await feed.ready;
      feed.follow(given.id, client);
      const accepted =
        idempotencyKey === undefined
          ? await conversation.send(given, "followup")
          : await conversation.sendOnce(idempotencyKey, given, "followup");
      const { id } = accepted.message;
      if (id !== given.id) {
        feed.leave(client);
        feed.follow(id, client);
      }
      void this.#finishIdle(feed, client, { conversation, messageId: id, isRepeated: id !== given.id });
    } catch (error) {
      void client.frames.return();
      throw error;
    }
    return this.#reply(client.frames);
  }

  /** Streams the answer in progress from its beginning; undefined if there is none. */
  async join(stream: Stream<C>): Promise<HttpReply | undefined> {
    const { conversation } = stream;
    if (!conversation.busy) return undefined;
    const { feed, client } = this.#open(stream);
    try {
      const isAnswering = await feed.hasAnswer();
      if (!isAnswering) {
        void client.frames.return();
        return undefined;
      }
    } catch (error) {
      void client.frames.return();
      throw error;
    }
    feed.join(client);
    return this.#reply(client.frames);
  }

  /** Streams all answers of a conversation, and the rest of the one in progress. */
  async connect(
    { conversation, request }: Omit<Stream<C>, "envelope">,
    envelopeFor: (prompt: UserMessage) => Envelope<C>,
  ): Promise<HttpReply> {
    const { feed, release } = this.#claim(conversation);
    try {
      if (conversation.busy) await feed.hasAnswer();
      await feed.ready;
      const messages = await conversation.messages();
      const { prompt } = feed.answer ?? {};
      const end = prompt === undefined ? messages.length : messages.findIndex(({ id }) => id === prompt.id);
      const before = this.#storedFrames(messages.slice(0, end < 0 ? messages.length : end), envelopeFor);
      if (prompt === undefined) {
        release();
        return this.#reply(before);
      }
      const client = this.#addClient({ envelope: envelopeFor(prompt), request }, feed, release);
      feed.join(client);
      return this.#reply(joined(before, client.frames));
    } catch (error) {
      release();
      throw error;
    }
  }

  *#storedFrames(
    messages: readonly AgentMessage[],
    envelopeFor: (prompt: UserMessage) => Envelope<C>,
  ): Generator<string> {
    for (const [at, prompt] of messages.entries()) {
      if (prompt.role !== "user") continue;
      const { open, begin, close } = envelopeFor(prompt);
      const answer = answerAt(this.#options.makeWriter(), messages, at);
      const { first, turn, chunks, end } = answer;
      const begun = first === undefined ? [] : begin(first);
      const ended = end === undefined ? [] : close(end, turn);
      yield [...open(), ...begun, ...chunks, ...ended].map(frameOf).join("");
    }
  }

  /**
   * Streams the rest of an answer after permission requests for these calls, which `answer` answers. If the run has continued
   * meanwhile, the client gets everything since then.
   */
  async resume(
    stream: Stream<C>,
    { toolCallIds, requestIds }: { toolCallIds: ReadonlySet<string>; requestIds: ReadonlySet<string> },
    answer: () => Promise<void>,
  ): Promise<HttpReply> {
    const { conversation } = stream;
    const { feed, client } = this.#open(stream, requestIds);
    try {
      await feed.ready;
      const from = feed.answer?.endOfRequest(toolCallIds);
      if (from !== undefined) feed.join(client, from);
      await answer();
    } catch (error) {
      void client.frames.return();
      throw error;
    }
    const messageId = promptBefore(await conversation.messages(), toolCallIds);
    void this.#finishIdle(feed, client, { conversation, messageId, isRepeated: true, toolCallIds });
    return this.#reply(client.frames);
  }

  #open(stream: Stream<C>, answered: ReadonlySet<string> = new Set()) {
    const { feed, release } = this.#claim(stream.conversation);
    return { feed, client: this.#addClient(stream, feed, release, answered) };
  }

  #claim(conversation: Conversation) {
    const { makeWriter, pausesFor } = this.#options;
    const subject = { conversation, makeWriter, pausesFor };
    const feed = this.#feeds.claim(subject);
    return { feed, release: () => this.#feeds.release(subject, feed) };
  }

  #addClient(
    { envelope, request }: Pick<Stream<C>, "envelope" | "request">,
    feed: AnswerFeed<C>,
    release: () => void,
    answered: ReadonlySet<string> = new Set(),
  ): AnswerClient<C> {
    const undo: (() => void)[] = [release];
    const client = new AnswerClient<C>({
      envelope,
      unreadBytes: this.#gateway.limits.unreadBytes,
      answered,
      onLeave: () => {
        for (const step of undo.splice(0)) step();
      },
    });
    undo.push(
      () => feed.leave(client),
      onAbort(request.signal, () => void client.frames.return()),
      onAbort(this.#gateway.closing, () =>
        client.fail("the gateway is shutting down; the session is stored"),
      ),
    );
    return client;
  }

  /** Ends a stream whose answer does not arrive as events: it was given before, or by another process. */
  async #finishIdle(
    feed: AnswerFeed<C>,
    client: AnswerClient<C>,
    { conversation, isRepeated, ...sought }: Sought,
  ): Promise<void> {
    let why = "the agent could not run";
    try {
      await conversation.idle();
      // The process that accepted it may have been killed before it answered.
      if (isRepeated && !client.ended) await conversation.resume();
      await feed.feed.drained();
      if (client.ended) return;
      if (client.attached) feed.settle();
      else this.#replay(client, sought, await conversation.messages());
    } catch (error) {
      why = error instanceof DragomanError ? error.message : why;
    }
    client.fail(why);
  }

  #replay(
    client: AnswerClient<C>,
    { messageId, toolCallIds = new Set() }: Pick<Sought, "messageId" | "toolCallIds">,
    messages: readonly AgentMessage[],
  ): void {
    const answer = storedAnswer(this.#options.makeWriter(), messages, messageId);
    if (answer === undefined) return;
    client.begin(answer, answer.endOfRequest(toolCallIds) ?? 0);
    client.end();
  }

  #reply(frames: AsyncIterable<string> | Iterable<string>): HttpReply {
    const { headers, silenceMs = SILENCE_MS } = this.#options;
    return {
      status: 200,
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        ...headers,
      },
      stream: withComments(joined([], frames), silenceMs),
    };
  }
}

async function* withComments(frames: AsyncIterable<string>, ms: number): AsyncGenerator<string> {
  for await (const frame of withSilences(frames, ms)) {
    yield frame === SILENCE ? formatComment("keep-alive") : frame;
  }
}

async function* joined(
  first: Iterable<string>,
  rest: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield* first;
  yield* rest;
}

/** The stored answer to a message; undefined if it has none. */
function storedAnswer<C>(
  writer: ChunkWriter<C>,
  messages: readonly AgentMessage[],
  messageId: string | undefined,
): Answer<C> | undefined {
  const at = messages.findLastIndex(
    (message) => message.role === "user" && messageId !== undefined && idsOf(message).includes(messageId),
  );
  if (at < 0) return undefined;
  const answer = answerAt(writer, messages, at);
  return answer.outcome === undefined ? undefined : answer;
}

/** The stored answer to the user message at an index, as far as it goes. */
function answerAt<C>(writer: ChunkWriter<C>, messages: readonly AgentMessage[], at: number): Answer<C> {
  const prompt = messages[at];
  if (prompt?.role !== "user") throw new TypeError("expected a user message");
  const answer = new Answer(writer, prompt);
  for (const message of messages.slice(at + 1)) {
    if (message.role === "user") break;
    answer.addMessage(message);
  }
  answer.finish(answer.outcome ?? "error", "the message was not answered");
  return answer;
}

/** The id of the user message whose answer has one of these calls. */
function promptBefore(
  messages: readonly AgentMessage[],
  toolCallIds: ReadonlySet<string>,
): string | undefined {
  const at = messages.findLastIndex(
    (message) =>
      message.role === "assistant" &&
      message.content.some((block) => block.type === "toolCall" && toolCallIds.has(block.id)),
  );
  return messages.slice(0, Math.max(at, 0)).findLast(({ role }) => role === "user")?.id;
}
