import { isObject } from "../../core/json/value.js";
import { noteOf } from "../../core/message/notes.js";
import type { AgentMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { type Notice, noticeOf } from "./notices.js";

/** A thread's senders and message keys. Reads each message once. */
export class Roster {
  static readonly #known = new WeakMap<Conversation, Roster>();
  /** The senders of messages to the agent. */
  readonly senders = new Set<string>();
  /** The idempotency keys of clients' messages. */
  readonly #keys = new Set<string>();
  readonly #notices = new Map<string, Notice>();
  #seen = 0;
  #turn: Promise<unknown> = Promise.resolve();

  static async of(conversation: Conversation): Promise<Roster> {
    const roster = Roster.#known.get(conversation) ?? new Roster();
    Roster.#known.set(conversation, roster);
    roster.#read(await conversation.messages());
    return roster;
  }

  has(key: string | undefined): boolean {
    return key !== undefined && (this.#keys.has(key) || this.#notices.has(key));
  }

  /** The latest notice sent under a key. */
  notice(key: string): Notice | undefined {
    return this.#notices.get(key);
  }

  /** One after another, so that the second of two with the same key finds the first. */
  runInOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #read(messages: readonly AgentMessage[]): void {
    for (const message of messages.slice(this.#seen)) this.#observe(message);
    this.#seen = messages.length;
  }

  #observe(message: AgentMessage): void {
    const notice = noticeOf(message);
    if (notice?.key !== undefined) this.#notices.set(notice.key, notice);
    const note = noteOf(message);
    const prompt = note?.type === "dragoman/inbox" ? note.data.message : message;
    if (prompt.role !== "user") return;
    if (prompt.sender !== undefined) this.senders.add(prompt.sender);
    const sent = prompt.ext?.["sent"];
    if (isObject(sent) && typeof sent["idempotencyKey"] === "string") this.#keys.add(sent["idempotencyKey"]);
  }
}
