import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { Answer } from "./answer.js";
import type { AnswerClient } from "./answer-client.js";
import { framesOf } from "./event-stream.js";

/** The clients of a conversation's answers. Each frame is written once for all of them. */
export class AnswerClients<C> {
  /** The clients of the answer in progress. */
  readonly #current = new Set<AnswerClient<C>>();
  /** Clients whose message the agent has not read yet, by the message's id. */
  readonly #waiting = new Map<string, Set<AnswerClient<C>>>();

  /** The client waits for the answer to a message. */
  waitFor(messageId: string, client: AnswerClient<C>): void {
    this.#waiting.set(messageId, (this.#waiting.get(messageId) ?? new Set()).add(client));
  }

  /** The client receives the answer in progress, after its first `from` chunks. */
  join(client: AnswerClient<C>, answer: Answer<C>, from: number): void {
    client.begin(answer, from);
    this.#current.add(client);
  }

  leave(client: AnswerClient<C>): void {
    this.#current.delete(client);
    for (const [id, clients] of this.#waiting) {
      if (clients.delete(client) && clients.size === 0) this.#waiting.delete(id);
    }
  }

  /** The clients that waited for the answer to one of these messages. */
  awaiting(messageIds: Iterable<string>): AnswerClient<C>[] {
    return [...messageIds].flatMap((id) => {
      const clients = this.#waiting.get(id) ?? [];
      this.#waiting.delete(id);
      return [...clients];
    });
  }

  send(chunks: readonly C[]): void {
    if (chunks.length === 0 || this.#current.size === 0) return;
    const frames = framesOf(chunks);
    for (const client of this.#current) client.accept(frames);
  }

  /** Ends the streams of these clients, except of those that have answered the requests. */
  pause(requests: readonly PermissionRequest[], clients: Iterable<AnswerClient<C>> = this.#current): void {
    for (const client of clients) if (client.pause(requests)) this.#current.delete(client);
  }

  /** Ends all streams of the answer, which has ended. */
  end(): void {
    const clients = [...this.#current];
    this.#current.clear();
    for (const client of clients) client.end();
  }

  /** Ends all streams with an error. */
  fail(message: string): void {
    const clients = [...this.#current, ...this.awaiting([...this.#waiting.keys()])];
    this.#current.clear();
    for (const client of clients) client.fail(message);
  }
}
