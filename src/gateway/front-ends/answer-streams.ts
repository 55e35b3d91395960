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
import { AnswerFeed, type AnswerSubject } from "./answer-feed.js";
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
  request: Pick<HttpRequest, "caller" | "signal">;
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
    const given = sentBy(request.caller.token, { ...message, id: newId() });
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
    return this.#reply(client);
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
    return this.#reply(client);
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
    return this.#reply(client);
  }

  #open({ conversation, envelope, request }: Stream<C>, answered: ReadonlySet<string> = new Set()) {
    const { makeWriter, pausesFor } = this.#options;
    const subject = { conversation, makeWriter, pausesFor };
    const feed = this.#feeds.claim(subject);
    const undo: (() => void)[] = [];
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
      () => this.#feeds.release(subject, feed),
      onAbort(request.signal, () => void client.frames.return()),
      onAbort(this.#gateway.closing, () =>
        client.fail("the gateway is shutting down; the session is stored"),
      ),
    );
    return { feed, client };
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

  #reply(client: AnswerClient<C>): HttpReply {
    const { headers, silenceMs = SILENCE_MS } = this.#options;
    return {
      status: 200,
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        ...headers,
      },
      stream: withComments(client.frames, silenceMs),
    };
  }
}

async function* withComments(frames: AsyncIterable<string>, ms: number): AsyncGenerator<string> {
  for await (const frame of withSilences(frames, ms)) {
    yield frame === SILENCE ? formatComment("keep-alive") : frame;
  }
}

/** The stored answer to a message; undefined if it has none. */
function storedAnswer<C>(
  writer: ChunkWriter<C>,
  messages: readonly AgentMessage[],
  messageId: string | undefined,
): Answer<C> | undefined {
  if (messageId === undefined) return undefined;
  const at = messages.findLastIndex(
    (message) => message.role === "user" && idsOf(message).includes(messageId),
  );
  const prompt = messages[at];
  if (prompt?.role !== "user") return undefined;
  const answer = new Answer(writer, prompt);
  for (const message of messages.slice(at + 1)) {
    if (message.role === "user") break;
    answer.addMessage(message);
  }
  if (answer.outcome === undefined) return undefined;
  answer.finish(answer.outcome);
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
