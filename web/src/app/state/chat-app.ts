import type { DragomanClient, MethodName, Params, Result, RpcSessionInfo } from "dragoman/client";
import { noteOf } from "dragoman/core";
import { texts } from "../../text/texts.js";
import type { Schedule } from "../../transcript/live/listeners.js";
import { ChatSession, type MessageContent } from "./chat-session.js";
import type { Drafts } from "./drafts.js";
import type { GatewayLink, Welcome } from "./gateway-link.js";
import { emptyHome, HomeFeed } from "./home-feed.js";
import type { Notifications } from "./notifications.js";
import { errorText, textOf } from "./plain-words.js";
import type { Route } from "./route.js";
import type { SeenSessions } from "./seen.js";
import {
  emptyList,
  listOf,
  type SessionList,
  withPage,
  withSession,
  withSessionEvent,
} from "./session-list.js";
import { Store } from "./store.js";

export type Agent = Result<"agents.list">["agents"][number];
export type ModelCard = Result<"models.list">["models"][number];
export type Platform = Result<"channels.list">["channels"][number];

/** Recent sessions stay open, so that switching back to them is instant. */
const MAX_OPEN = 4;
const PAGE = 100;
/** Among so many entries before a message, one is not a note about a message that was accepted. */
const ENTRIES_BEFORE = 50;
/** The draft key of a chat that has no session yet. */
export const NEW = "new";

export interface AppWorld {
  link: GatewayLink;
  route: Store<Route>;
  go(route: Route): void;
  drafts: Drafts;
  seen: SeenSessions;
  notifications: Notifications;
  /** Whether the side bar of a wide page is open. */
  sideBar: Store<boolean>;
  /** In pixels. */
  sideBarWidth: Store<number>;
  now(): number;
  schedule: Schedule;
}

/** An action, in words for users, and how to undo it. */
export interface Done {
  text: string;
  undo(): void;
}

/** The app's state and actions, independent of React. */
export class ChatApp {
  readonly world: AppWorld;
  readonly list = new Store<SessionList>(emptyList);
  readonly agents = new Store<readonly Agent[]>([]);
  readonly models = new Store<readonly ModelCard[]>([]);
  /** The chat platforms that the gateway supports. */
  readonly platforms = new Store<readonly Platform[]>([]);
  /** The titles of chat platforms and of other programs, by name. */
  readonly originTitles = new Store<ReadonlyMap<string, string>>(new Map());
  readonly home = new HomeFeed();
  /** The name of the page that is shown; empty for the home page. */
  readonly pageTitle = new Store("");
  /** The session to print as soon as it is open. */
  readonly printing = new Store<string | undefined>(undefined);
  /** An error to show until the user dismisses it. */
  readonly notice = new Store<string | undefined>(undefined);
  /** What was done last, if it can be undone. */
  readonly done = new Store<Done | undefined>(undefined);
  readonly #open = new Map<string, ChatSession>();
  /** First messages of sessions started here, used as titles until the gateway has indexed them. */
  readonly #firstMessages = new Map<string, string>();
  #client: DragomanClient | undefined;

  constructor(world: AppWorld) {
    this.world = world;
    world.link.state.subscribe(() => this.#onLinkChange());
  }

  /** Opens a session and follows it. */
  session(id: string, client: DragomanClient, { scope, session: shared }: Welcome): ChatSession {
    const before = this.#open.get(id);
    const { now, schedule } = this.world;
    const isShared = shared !== undefined;
    // The list of sessions, which a share link does not have, reports the connection otherwise.
    const onConnection = isShared ? (state: "open" | "lost") => this.#onConnection(state) : undefined;
    const session =
      before ??
      new ChatSession({ client, id, asks: scope === "admin", isShared, onConnection, now, schedule });
    if (before !== undefined && !isShared) void before.loadBranches();
    this.#open.delete(id);
    this.#open.set(id, session);
    if (before === undefined) {
      void session.follow();
      this.#leaveOldest();
    }
    return session;
  }

  /** Runs an action; shows the error and returns false if it fails. */
  async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.notice.set(errorText(error));
      return false;
    }
  }

  /** Creates a session and sends its first message. Text typed meanwhile becomes that session's draft. */
  async startChat(content: MessageContent, choice: { agent?: string; model?: string }): Promise<void> {
    const { id } = await this.#call("sessions.create", choice);
    this.world.drafts.move(NEW, id);
    await this.#sendIn(id, content);
  }

  async fork(id: string, messageId?: string, model?: string): Promise<void> {
    const forked = await this.#createFork(id, messageId, model);
    this.world.go({ page: "session", id: forked });
  }

  /** Sends another version of the message at this position, in a fork that starts before it. */
  async sendInFork(id: string, position: number, content: MessageContent): Promise<void> {
    // The log entry before the message; before the first message that is the session entry.
    const before = { sessionKey: id, before: position, limit: ENTRIES_BEFORE };
    const { messages } = await this.#call("chat.history", before);
    // The note of a message that was accepted is not copied, so that a fork cannot share it.
    const shared = messages.findLast(({ message }) => noteOf(message)?.type !== "dragoman/inbox");
    await this.#sendIn(await this.#createFork(id, shared?.message.id), content);
  }

  /** Opens a session and prints it. */
  print(id: string): void {
    this.printing.set(id);
    this.world.go({ page: "session", id });
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#call("sessions.rename", { sessionKey: id, title });
  }

  async archive(id: string, archived: boolean): Promise<void> {
    await this.#call("sessions.archive", { sessionKey: id, archived });
    const text = archived ? texts.sideBar.wasArchived : texts.sideBar.wasUnarchived;
    this.done.set({ text, undo: () => void this.attempt(() => this.#undoArchive(id, archived)) });
  }

  async #undoArchive(id: string, archived: boolean): Promise<void> {
    this.done.set(undefined);
    await this.#call("sessions.archive", { sessionKey: id, archived: !archived });
  }

  async listMore(): Promise<void> {
    const { next } = this.list.get();
    if (next === undefined) return;
    const page = await this.#call("sessions.list", { limit: PAGE, before: next });
    this.list.update((list) => withPage(list, this.#titledPage(page)));
  }

  /** Lists the agents, the models, and where sessions can come from again. */
  async listChoices(): Promise<void> {
    const { methods } = this.#connected().welcome;
    const [{ agents }, { models }, { channels }, { sources }] = await Promise.all([
      this.#call("agents.list", {}),
      this.#call("models.list", {}),
      this.#call("channels.list", {}),
      methods.includes("sources.list") ? this.#call("sources.list", {}) : { sources: [] },
    ]);
    this.agents.set(agents);
    this.models.set(models);
    this.platforms.set(channels);
    this.originTitles.set(new Map([...sources, ...channels].map(({ name, title }) => [name, title])));
  }

  /** Adds a session to the list if it is not on a loaded page. */
  async ensureListed(id: string): Promise<void> {
    if (this.list.get().sessions.has(id)) return;
    const { session } = await this.#call("sessions.get", { sessionKey: id });
    this.list.update((list) => withSession(list, this.#titled(session)));
  }

  async #createFork(id: string, messageId?: string, model?: string): Promise<string> {
    const upTo = messageId === undefined ? {} : { messageId };
    const answering = model === undefined ? {} : { model };
    return (await this.#call("sessions.fork", { sessionKey: id, ...upTo, ...answering })).id;
  }

  #titled(session: RpcSessionInfo): RpcSessionInfo {
    const title = session.title ?? this.#firstMessages.get(session.id);
    return title === undefined ? session : { ...session, title };
  }

  #titledPage(page: Result<"sessions.list">): Result<"sessions.list"> {
    return { ...page, sessions: page.sessions.map((session) => this.#titled(session)) };
  }

  async #sendIn(id: string, content: MessageContent): Promise<void> {
    const { client, welcome } = this.#connected();
    this.#firstMessages.set(id, textOf(content));
    const present = this.list.get().sessions.get(id);
    if (present !== undefined) this.list.update((list) => withSession(list, this.#titled(present)));
    const session = this.session(id, client, welcome);
    this.world.go({ page: "session", id });
    // The gateway denies permission requests while no client follows the session.
    await session.followed;
    await session.send(content);
  }

  #connected(): { client: DragomanClient; welcome: Welcome } {
    const link = this.world.link.state.get();
    if (!("client" in link)) throw new Error(texts.shell.notConnected);
    return link;
  }

  #call<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
    return this.#connected().client.call(method, params);
  }

  #onLinkChange(): void {
    const link = this.world.link.state.get();
    const client = "client" in link ? link.client : undefined;
    if (client === this.#client) return;
    this.#client = client;
    for (const session of this.#open.values()) session.leave();
    this.#open.clear();
    this.list.set(emptyList);
    this.home.state.set(emptyHome);
    // A share link shows one session and has no list.
    const isShared = "welcome" in link && link.welcome.session !== undefined;
    if (client !== undefined && !isShared) void this.attempt(() => this.#follow(client));
  }

  async #follow(client: DragomanClient): Promise<void> {
    for await (const event of client.sessions()) {
      if (event.type === "session") {
        const session = this.#titled(event.session);
        this.list.update((list) => withSessionEvent(list, { ...event, session }));
      } else if (event.state === "lost") void this.world.link.onLost();
      else {
        this.world.link.onReconnected();
        void this.attempt(async () =>
          this.list.set(listOf(this.#titledPage(await client.call("sessions.list", { limit: PAGE })))),
        );
        void this.attempt(() => this.listChoices());
      }
    }
  }

  #onConnection(state: "open" | "lost"): void {
    if (state === "lost") void this.world.link.onLost();
    else this.world.link.onReconnected();
  }

  #leaveOldest(): void {
    const [oldest] = this.#open;
    if (oldest === undefined || this.#open.size <= MAX_OPEN) return;
    this.#open.delete(oldest[0]);
    oldest[1].leave();
  }
}
