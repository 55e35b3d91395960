import type { DragomanClient, Params, Result, RpcSessionInfo, RpcStored, WatchEvent } from "dragoman/client";
import { type AgentMessage, newId, noteOf, type UserContent } from "dragoman/core";
import type { Schedule } from "../../transcript/live/listeners.js";
import { LiveAnswer } from "../../transcript/live/live-answer.js";
import { ToolActivity } from "../../transcript/tools/tool-activity.js";
import * as conversation from "./conversation.js";
import { errorText } from "./plain-words.js";
import { namesIn, type SenderNames, withSenderName } from "./sender-names.js";
import { Store } from "./store.js";

export type SendMode = NonNullable<Params<"chat.send">["mode"]>;
export type MessageContent = string | UserContent[];
export type PermissionAnswer = Params<"permission.answer">["answer"];
/** Called with the id of a request, the answer to it, and the values of its form. */
export type OnPermissionAnswer = (id: string, answer: PermissionAnswer, content?: FormContent) => void;
export type FormContent = NonNullable<Params<"permission.answer">["content"]>;

const PAGE = 60;
/** For scrolling to a message far back. */
const LARGE_PAGE = 500;

export interface ChatSessionOptions {
  client: DragomanClient;
  id: string;
  /** Whether permission requests may be answered here. */
  asks: boolean;
  /** The token allows reading this session only. */
  isShared?: boolean;
  /** Called when the connection is lost or restored. */
  onConnection?: ((state: "open" | "lost") => void) | undefined;
  now(): number;
  /** When to render streamed text. */
  schedule: Schedule;
}

/** An open session: loaded backwards from its end, and followed. */
export class ChatSession {
  readonly id: string;
  /** Undefined until the last page is loaded. */
  readonly state = new Store<conversation.Conversation | undefined>(undefined);
  /** The streaming answer. It grows without changing `state`. */
  readonly live = new Store<LiveAnswer | undefined>(undefined);
  readonly tools: ToolActivity;
  /** The model that answers next. */
  readonly model = new Store<string | undefined>(undefined);
  /** Where forks of the conversation continue differently. */
  readonly branches = new Store<readonly conversation.Branch[]>([]);
  /** Why the session cannot be shown. */
  readonly problem = new Store<string | undefined>(undefined);
  /** Resolves once the session is followed, or cannot be. */
  readonly followed: Promise<void>;
  #isFollowed: () => void = () => undefined;
  readonly #options: ChatSessionOptions;
  readonly #left = new AbortController();
  #names: SenderNames = {};
  #loading: Promise<void> | undefined;

  constructor(options: ChatSessionOptions) {
    this.id = options.id;
    this.#options = options;
    this.tools = new ToolActivity(options.now);
    this.followed = new Promise((resolve) => {
      this.#isFollowed = resolve;
    });
  }

  /** Resolves when the session is left. */
  async follow(): Promise<void> {
    const { client, asks } = this.#options;
    try {
      const [page, { session }] = await Promise.all([
        this.#page({ limit: PAGE }),
        client.call("sessions.get", { sessionKey: this.id }),
      ]);
      this.#names = namesIn(session, await this.#starterOf(session));
      this.state.set(conversation.conversationOf(this.#named(page)));
      if (this.#options.isShared !== true) {
        void this.#loadModel();
        void this.loadBranches();
      }
      const options = { after: page.end, asks, signal: this.#left.signal };
      for await (const event of client.watch(this.id, options)) this.#apply(event);
    } catch (error) {
      if (!this.#left.signal.aborted) this.problem.set(errorText(error));
    } finally {
      this.#isFollowed();
    }
  }

  leave(): void {
    this.#left.abort();
  }

  /** Slow, because the gateway reads the whole session for it; the messages are shown first. */
  async #loadModel(): Promise<void> {
    try {
      this.model.set((await this.#options.client.call("sessions.model", { sessionKey: this.id })).model);
    } catch (error) {
      if (!this.#left.signal.aborted) this.problem.set(errorText(error));
    }
  }

  /** Loads the branches again, because a fork may have been made. They are a help only, so that a failure is not shown. */
  async loadBranches(): Promise<void> {
    const { client } = this.#options;
    const found = await client.call("sessions.branches", { sessionKey: this.id }).catch(() => undefined);
    if (found !== undefined) this.branches.set(found.branches);
  }

  /** Loads the previous page; concurrent calls share one request. */
  loadOlder(limit = PAGE): Promise<void> {
    this.#loading ??= this.#loadPage(limit).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Loads everything from a message on. Resolves to the id under which it is shown, or undefined if there is no such message. */
  async loadUntil(messageId: string): Promise<string | undefined> {
    for (;;) {
      const state = this.state.get();
      const shown = state === undefined ? undefined : conversation.shownIdOf(state, messageId);
      if (shown !== undefined || state?.hasOlder !== true) return shown;
      await this.loadOlder(LARGE_PAGE);
    }
  }

  /** Loads everything. */
  async loadAll(): Promise<void> {
    await this.followed;
    while (this.state.get()?.hasOlder === true) await this.loadOlder(LARGE_PAGE);
  }

  /** Shows the message at once; resolves when the server has stored or rejected it. */
  async send(content: MessageContent, mode?: SendMode, key = newId()): Promise<void> {
    const { client, now } = this.#options;
    this.#change((state) => conversation.withOutgoing(state, { key, content, timestamp: now() }));
    const message = typeof content === "string" ? { text: content } : { content };
    try {
      await client.send(this.id, {
        ...message,
        ...(mode === undefined ? {} : { mode }),
        idempotencyKey: key,
      });
    } catch (error) {
      if (this.state.get() === undefined) throw error;
      this.#change((state) => conversation.refused(state, key, errorText(error)));
    }
  }

  discard(key: string): void {
    this.#change((state) => conversation.withoutOutgoing(state, key));
  }

  async stop(): Promise<void> {
    await this.#options.client.call("chat.abort", { sessionKey: this.id });
  }

  async answerPermission(id: string, answer: PermissionAnswer, content?: FormContent): Promise<void> {
    const values = content === undefined ? {} : { content };
    await this.#options.client.call("permission.answer", { sessionKey: this.id, id, answer, ...values });
  }

  async selectModel(model: string): Promise<void> {
    await this.#options.client.call("sessions.model", { sessionKey: this.id, model });
  }

  async #loadPage(limit: number): Promise<void> {
    const { start, hasOlder } = this.state.get() ?? { start: 0, hasOlder: false };
    if (!hasOlder) return;
    const page = this.#named(await this.#page({ before: start, limit }));
    this.#change((state) => conversation.withOlder(state, page));
  }

  #page(which: { before?: number; limit: number }): Promise<Result<"chat.history">> {
    return this.#options.client.call("chat.history", { sessionKey: this.id, ...which });
  }

  #named(page: Result<"chat.history">): Result<"chat.history"> {
    const name = (entry: RpcStored) => ({ ...entry, message: withSenderName(entry.message, this.#names) });
    return { ...page, messages: page.messages.map(name) };
  }

  async #starterOf({ parent }: RpcSessionInfo): Promise<RpcSessionInfo | undefined> {
    if (parent?.toolCallId === undefined || this.#options.isShared === true) return undefined;
    return (await this.#options.client.call("sessions.get", { sessionKey: parent.session })).session;
  }

  #apply(event: WatchEvent): void {
    switch (event.type) {
      case "message_update":
        this.#liveAnswer().push(event.assistantMessageEvent);
        return;
      case "connection":
        if (event.state === "open") this.#isFollowed();
        this.#options.onConnection?.(event.state);
        return;
      case "message":
        // The stored answer replaces the streaming one.
        if (event.message.role === "assistant") this.live.set(undefined);
        this.#updateModel(event.message);
        break;
      case "tool_execution_start":
      case "tool_execution_update":
      case "tool_execution_end":
        this.tools.push(event);
        break;
      case "permission":
        this.#markTool(event);
        break;
      case "run_end":
        // What the run did not store is discarded.
        this.live.set(undefined);
        this.tools.endAll();
    }
    const shown =
      event.type === "message" ? { ...event, message: withSenderName(event.message, this.#names) } : event;
    this.#change((state) => conversation.withEvent(state, shown));
  }

  #markTool(event: Extract<WatchEvent, { type: "permission" }>): void {
    if (event.state === "asked") {
      this.tools.markAsking(event.request.toolCall.id);
      return;
    }
    const request = this.state.get()?.permissions.find(({ id }) => id === event.id);
    if (request !== undefined) this.tools.markAnswered(request.toolCall.id);
  }

  #liveAnswer(): LiveAnswer {
    const { schedule } = this.#options;
    const { agent } = this.#names;
    const sender = agent === undefined ? {} : { sender: agent };
    const live = this.live.get() ?? new LiveAnswer({ schedule, ...sender });
    this.live.set(live);
    return live;
  }

  #updateModel(message: AgentMessage): void {
    const note = noteOf(message);
    if (note?.type === "dragoman/meta" && note.data.model !== undefined) this.model.set(note.data.model);
  }

  #change(change: (state: conversation.Conversation) => conversation.Conversation): void {
    this.state.update((state) => (state === undefined ? undefined : change(state)));
  }
}
