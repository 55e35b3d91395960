import type { DragomanClient, Params, WatchEvent } from "dragoman/client";
import { newId, noteOf, type UserContent } from "dragoman/core";
import * as conversation from "./conversation.js";
import { wordsOf } from "./error-words.js";
import { LiveAnswer } from "./live-answer.js";
import { Store } from "./store.js";

export type SendMode = NonNullable<Params<"chat.send">["mode"]>;
export type Words = string | UserContent[];
export type PermissionAnswer = Params<"permission.answer">["answer"];

const PAGE = 60;
/** For those who want to go far back. */
const LARGE_PAGE = 500;

export interface ChatSessionOptions {
  client: DragomanClient;
  id: string;
  /** Whether it may be asked for permissions here. */
  asks: boolean;
  now(): number;
  /** When to show what has grown: with the next frame. */
  schedule(tell: () => void): void;
}

/** One session that somebody looks at: read from its end backwards, and followed. */
export class ChatSession {
  readonly id: string;
  /** Undefined until its last page is there. */
  readonly state = new Store<conversation.Conversation | undefined>(undefined);
  readonly live: LiveAnswer;
  /** The model that answers next. */
  readonly model = new Store<string | undefined>(undefined);
  /** Why it cannot be shown. */
  readonly problem = new Store<string | undefined>(undefined);
  readonly #options: ChatSessionOptions;
  readonly #left = new AbortController();
  #loading: Promise<void> | undefined;

  constructor(options: ChatSessionOptions) {
    this.id = options.id;
    this.#options = options;
    this.live = new LiveAnswer(options.now, options.schedule);
  }

  /** Fulfilled when it is left. */
  async follow(): Promise<void> {
    const { client, asks } = this.#options;
    try {
      const [page, { model }] = await Promise.all([
        client.call("chat.history", { sessionKey: this.id, limit: PAGE }),
        client.call("sessions.get", { sessionKey: this.id }),
      ]);
      this.model.set(model);
      this.state.set(conversation.opened(page));
      const options = { after: page.end, asks, signal: this.#left.signal };
      for await (const event of client.watch(this.id, options)) this.#take(event);
    } catch (error) {
      if (!this.#left.signal.aborted) this.problem.set(wordsOf(error));
    }
  }

  leave(): void {
    this.#left.abort();
  }

  /** The page before what is there; several wishes at once are one. */
  loadOlder(limit = PAGE): Promise<void> {
    this.#loading ??= this.#loadPage(limit).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Everything from a place on. */
  async loadFrom(position: number): Promise<void> {
    for (let now = this.state.get(); now?.hasOlder === true && now.start > position; now = this.state.get()) {
      await this.loadOlder(LARGE_PAGE);
    }
  }

  /** Shown at once; fulfilled when it is on the server's disk or was refused. */
  async send(content: Words, mode?: SendMode, key = newId()): Promise<void> {
    const { client, now } = this.#options;
    this.#change((state) => conversation.sent(state, { key, content, timestamp: now() }));
    const said = typeof content === "string" ? { text: content } : { content };
    try {
      await client.send(this.id, { ...said, ...(mode === undefined ? {} : { mode }), idempotencyKey: key });
    } catch (error) {
      this.#change((state) => conversation.refused(state, key, wordsOf(error)));
    }
  }

  /** What was refused is sent again as it is, or forgotten. */
  async sendAgain({ key, content }: conversation.Outgoing): Promise<void> {
    await this.send(content, undefined, key);
  }

  withdraw(key: string): void {
    this.#change((state) => conversation.withdrawn(state, key));
  }

  async stop(): Promise<void> {
    await this.#options.client.call("chat.abort", { sessionKey: this.id });
  }

  async answer(id: string, answer: PermissionAnswer): Promise<void> {
    await this.#options.client.call("permission.answer", { sessionKey: this.id, id, answer });
  }

  async choose(model: string): Promise<void> {
    await this.#options.client.call("sessions.model", { sessionKey: this.id, model });
  }

  async #loadPage(limit: number): Promise<void> {
    const { start, hasOlder } = this.state.get() ?? { start: 0, hasOlder: false };
    if (!hasOlder) return;
    const page = await this.#options.client.call("chat.history", {
      sessionKey: this.id,
      before: start,
      limit,
    });
    this.#change((state) => conversation.withOlder(state, page));
  }

  #take(event: WatchEvent): void {
    switch (event.type) {
      case "delta":
      case "call":
      case "block":
        this.live.take(event);
        return;
      case "connection":
        return;
      default:
        // The stored answer takes the place of the growing one; what a run has not stored is gone with it.
        if (event.type === "message" ? event.message.role === "assistant" : isEnd(event)) this.live.clear();
        this.#change((state) => conversation.happened(state, event, this.#options.now()));
        this.#heed(event);
    }
  }

  #heed(event: WatchEvent): void {
    const note = event.type === "message" ? noteOf(event.message) : undefined;
    if (note?.type === "dragoman/meta" && note.data.model !== undefined) this.model.set(note.data.model);
  }

  #change(change: (state: conversation.Conversation) => conversation.Conversation): void {
    this.state.update((state) => (state === undefined ? undefined : change(state)));
  }
}

function isEnd(event: WatchEvent): boolean {
  return event.type === "run" && event.state === "end";
}
