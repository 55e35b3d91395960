import type { SessionLog } from "../log/types.js";
import type { Conversation } from "./conversation.js";

/** Beyond this, unused conversations are closed: each is an open file, and a transcript in memory. */
const MAX_OPEN = 100;
const MAX_CHECKS = 10;
/** How many histories stay in memory; beyond this, the least recently used are unloaded. */
const MAX_LOADED = 32;

export interface OpenConversationsOptions {
  create(session: SessionLog): Conversation;
  /** Called with messages for the user, such as about a session that could not be closed. */
  onNote(text: string): void;
}

/** The conversations that are open in this process, one for each session. Those that are not used are closed in time. */
export class OpenConversations {
  readonly #options: OpenConversationsOptions;
  readonly #conversations = new Map<string, Promise<Conversation>>();
  /** The open ones, most recently requested last. */
  readonly #opened = new Map<string, Conversation>();
  /** Those with their history in memory, most recently used last. */
  readonly #loaded = new Set<Conversation>();

  constructor(options: OpenConversationsOptions) {
    this.#options = options;
  }

  /** The conversation of a session; `open` is called if it is not open yet. */
  share(id: string, open: () => Promise<SessionLog>): Promise<Conversation> {
    const known = this.#conversations.get(id);
    if (known !== undefined) {
      const used = this.#opened.get(id);
      if (used !== undefined) this.#moveToEnd(id, used);
      return known;
    }
    const opening = open().then((session) => this.#options.create(session));
    this.#conversations.set(id, opening);
    opening.then(
      (conversation) => {
        this.#moveToEnd(id, conversation);
        this.#closeUnused();
      },
      () => this.#conversations.delete(id),
    );
    return opening;
  }

  /** The conversations with a run in progress in this process. */
  running(): Conversation[] {
    return [...this.#opened.values()].filter(({ runsHere }) => runsHere);
  }

  has(id: string): boolean {
    return this.#conversations.has(id);
  }

  isBusy(id: string): boolean {
    return this.#opened.get(id)?.runsHere === true;
  }

  /** A session whose file another program has changed is closed, to be opened again. */
  async closeLost(id: string): Promise<void> {
    const conversation = this.#opened.get(id);
    if (conversation?.lost !== true) return;
    this.#remove(id, conversation);
    await conversation.session.close();
  }

  /** Its history is about to be in memory: unloads others if they are too many. */
  markLoaded(conversation: Conversation): void {
    this.#loaded.delete(conversation);
    for (const other of this.#loaded) {
      if (this.#loaded.size < MAX_LOADED) break;
      if (other.unload()) this.#loaded.delete(other);
    }
    this.#loaded.add(conversation);
  }

  /** Aborts all runs, and waits until they have ended. Fulfilled with the failures. */
  async close(): Promise<unknown[]> {
    const closing = [...this.#conversations.values()].map(async (opening) => (await opening).close());
    this.#conversations.clear();
    this.#opened.clear();
    this.#loaded.clear();
    const closed = await Promise.allSettled(closing);
    return closed.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  }

  #moveToEnd(id: string, conversation: Conversation): void {
    this.#opened.delete(id);
    this.#opened.set(id, conversation);
  }

  /** Closes the least recently requested first. Those in use are moved to the end, to be checked again later. */
  #closeUnused(): void {
    let checks = 0;
    for (const [id, conversation] of this.#opened) {
      if (this.#opened.size <= MAX_OPEN || checks++ === MAX_CHECKS) return;
      if (conversation.unused) {
        this.#remove(id, conversation);
        conversation.session.close().catch((error: Error) => this.#options.onNote(error.message));
      } else this.#moveToEnd(id, conversation);
    }
  }

  #remove(id: string, conversation: Conversation): void {
    this.#opened.delete(id);
    this.#loaded.delete(conversation);
    this.#conversations.delete(id);
  }
}
