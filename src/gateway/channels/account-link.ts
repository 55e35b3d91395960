import { settingsWithSecret } from "../../channels/accounts.js";
import { LIFE_MS } from "../../channels/pairing.js";
import type { ChannelName } from "../../channels/registry.js";
import type { AccountSettings } from "../../channels/settings.js";
import type {
  Channel,
  ChannelOptions,
  ChannelState,
  Transport,
  WebhookReply,
  WebhookRequest,
} from "../../channels/types.js";
import { backoff } from "../../core/async/backoff.js";
import { type Clock, sleep } from "../../core/async/clock.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import type { Lease } from "../../log/types.js";
import { MAIN } from "../../runtime/agents.js";
import type { Runtime } from "../../runtime/runtime.js";
import type {
  AnsweringAccount,
  ApprovedOnChannel,
  ChannelPeople,
  ChannelStatus,
  Logger,
  Metrics,
  Reception,
} from "../types.js";
import type { OpenJournal } from "./account-journal.js";
import { sessionKeyOf } from "./inbox/compose.js";
import { Inbox } from "./inbox/inbox.js";
import { handlersFor } from "./inbox/message-handlers.js";
import { Delivery } from "./outbox/delivery.js";
import { Outbox } from "./outbox/outbox.js";
import { openFile } from "./outbox/outgoing-files.js";
import { accountName, clientValues, PeopleStore } from "./people-store.js";

/** How long closing waits for sends that are possible. */
const DRAIN_MS = 2000;
/** Errors that retrying cannot fix. */
const permanentCodes: readonly string[] = [
  "config/no-agent",
  "channel/no-client",
  "channel/bad-settings",
  "channel/no-account",
];

export interface AccountLinkOptions {
  runtime: Runtime;
  home: string;
  logger: Logger;
  metrics: Metrics;
  world: Clock;
  fetch: typeof fetch;
  reception: Reception;
  settings: AccountSettings;
  /** May contain the secret. */
  env: Readonly<Record<string, string | undefined>>;
  load(): Promise<Channel>;
}

/** The parts that stay open across reconnects. */
interface Parts extends Pick<ChannelOptions<unknown>, "choose"> {
  channel: Channel;
  inbox: Inbox;
  outbox: Outbox;
  delivery: Delivery;
}

/** Links one account to agents: connects and reconnects, and passes messages to agents and answers to the platform. */
export class AccountLink {
  readonly name: ChannelName;
  readonly account: string;
  readonly #options: AccountLinkOptions;
  readonly #people: PeopleStore;
  readonly #closing = new AbortController();
  #running: Promise<void>;
  #parts: Parts | undefined;
  #lease: Lease | undefined;
  #transport: Transport | undefined;
  #connected: Promise<Transport>;
  #connect: (transport: Transport) => void = () => undefined;
  #state: ChannelState = { state: "connecting" };
  /** Reasons already logged for unreadable messages; each is logged once. */
  readonly #unread = new Set<string>();

  constructor(options: AccountLinkOptions) {
    const { runtime, reception, world } = options;
    this.#options = options;
    this.name = reception.channel;
    this.account = reception.account;
    this.#people = new PeopleStore(runtime.store, this.name, this.account, world.now);
    this.#connected = this.#nextConnection();
    this.#running = this.#run();
  }

  /** Resolves when a transport is open. */
  #nextConnection(): Promise<Transport> {
    const connected = new Promise<Transport>((resolve, reject) => {
      this.#connect = resolve;
      this.#closing.signal.addEventListener("abort", () => reject(this.#closing.signal.reason));
    });
    // Nothing may be awaiting it.
    connected.catch(() => undefined);
    return connected;
  }

  get connected(): boolean {
    return this.#state.state === "connected";
  }

  get reception(): Reception {
    return this.#options.reception;
  }

  /** How to send answers to messages that clients deliver; undefined while the account is stopped or unlinked. */
  get answering(): AnsweringAccount | undefined {
    const parts = this.#parts;
    const { state } = this.#state;
    if (parts === undefined || state === "stopped" || state === "pairing") return undefined;
    return {
      reception: this.#options.reception,
      traits: parts.channel.traits,
      deliver: (conversation, ask) => parts.delivery.askAndDeliver(conversation, ask),
    };
  }

  /** The number of unsent requests. */
  get unsent(): number {
    return this.#parts?.outbox.state.count("unsent") ?? 0;
  }

  async status(): Promise<ChannelStatus> {
    const { inbox, outbox } = this.#parts ?? {};
    const state = this.#state;
    const people = await this.#people.pending().catch((error: Error) => error);
    return {
      channel: this.name,
      account: this.account,
      state: state.state,
      ...("me" in state ? { me: state.me } : {}),
      ...("why" in state && state.why !== undefined ? { why: state.why } : {}),
      ...("hint" in state ? { hint: state.hint } : {}),
      waiting: inbox?.waiting ?? 0,
      unsent: this.unsent,
      unknown: outbox?.state.count("unknown") ?? 0,
      refused: outbox?.state.count("refused") ?? 0,
      // One account's failure must not hide the other accounts.
      ...(people instanceof Error ? { pairing: 0, why: people.message } : { pairing: people.length }),
    };
  }

  /** No one, if the list cannot be read: `status` has the reason. */
  async peopleHere(): Promise<ChannelPeople> {
    const here = { channel: this.name, account: this.account };
    try {
      const [pending, approved] = await Promise.all([this.#people.pending(), this.#people.approved()]);
      return {
        requests: pending.map(({ message: _, since, ...person }) => ({
          ...here,
          ...person,
          since,
          expires: since + LIFE_MS,
        })),
        approved: approved.map((person) => ({ ...here, ...person })),
      };
    } catch {
      return { requests: [], approved: [] };
    }
  }

  async approve(code: string, owner: boolean): Promise<ApprovedOnChannel | undefined> {
    const person = await this.#people.approve(code, owner);
    return person === undefined ? undefined : { channel: this.name, account: this.account, ...person };
  }

  revoke(id: string): Promise<boolean> {
    return this.#people.remove(id);
  }

  async webhook(request: WebhookRequest): Promise<WebhookReply | undefined> {
    // 503 rather than 404: after 404 a platform may not retry.
    if (this.#transport === undefined) {
      return {
        status: 503,
        json: { error: "service_unavailable", message: "the channel is not connected yet" },
      };
    }
    return this.#transport.webhook?.(request);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#closeParts(DRAIN_MS);
    await this.#lease?.release();
  }

  async #closeParts(drainMs: number): Promise<void> {
    const parts = this.#parts;
    if (parts !== undefined) {
      await parts.inbox.close(drainMs);
      await parts.delivery.close();
      await parts.outbox.close(drainMs);
    }
    await this.#transport?.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { world } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#open();
        return;
      } catch (error) {
        if (signal.aborted || this.#recordFailure(error)) return;
        const pauseMs = backoff(attempt, world);
        // Closing ends the pause early.
        await sleep(world, pauseMs, signal).catch(() => undefined);
      }
    }
  }

  /** Returns true if retrying cannot help. */
  #recordFailure(error: unknown): boolean {
    const { logger } = this.#options;
    const why = wordsOf(error);
    const isPermanent = error instanceof DragomanError && permanentCodes.includes(error.code);
    const hint = error instanceof DragomanError ? error.hint : undefined;
    this.#state = isPermanent
      ? { state: "stopped", why, ...(hint === undefined ? {} : { hint }) }
      : { state: "waiting", why };
    const { name: channel, account } = this;
    logger.warn(
      { channel, account, why, hint },
      isPermanent ? "channel stopped" : "channel cannot connect, will retry",
    );
    return isPermanent;
  }

  async #open(): Promise<void> {
    const { settings, env, fetch, world, reception, runtime } = this.#options;
    this.#parts ??= await this.#openParts();
    const { channel, inbox, outbox, choose } = this.#parts;
    const { agent = MAIN } = reception;
    const lease = await this.#acquireLease();
    const transport = await channel.open({
      settings: settingsWithSecret({ channel: this.name, account: this.account, settings }, channel, env),
      values: clientValues(runtime.store, lease, this.name, this.account),
      receive: async (inbound) => {
        // Throws if there can be no session; then the message must not be acknowledged.
        sessionKeyOf(inbound, reception);
        await inbox.receive(inbound);
      },
      choose,
      onState: (state) => this.#setState(state),
      people: () => this.#knownPeople(),
      onUnread: (why) => this.#reportUnread(why),
      media: (url, mostBytes) =>
        openFile(url, (other = agent) => runtime.agents.workspaceOf(other), mostBytes),
      fetch,
      now: world.now,
    });
    if (this.#closing.signal.aborted) return transport.close();
    this.#transport = transport;
    this.#connect(transport);
    outbox.connect(transport);
  }

  async #knownPeople(): Promise<string[]> {
    const { allow = [], owners = [], direct } = this.#options.settings;
    if (direct === "off") return [];
    const approved = await this.#people.approved();
    return [...new Set([...owners, ...allow, ...approved.map(({ id }) => id)])];
  }

  #setState(state: ChannelState): void {
    const { logger } = this.#options;
    const { name: channel, account } = this;
    if (state.state !== this.#state.state) logger.info({ channel, account, state: state.state }, "channel");
    if (state.state === "connected" && state.why !== undefined)
      logger.warn({ channel, account, why: state.why }, "channel cannot receive some messages yet");
    this.#state = state;
  }

  #reportUnread(why: string): void {
    const { logger, metrics } = this.#options;
    const { name: channel, account } = this;
    metrics.count("dragoman_channel_unread_total", { channel, account });
    if (this.#unread.has(why)) return;
    this.#unread.add(why);
    logger.warn(
      { channel, account, why },
      "dropped an unreadable message; more of the same kind are only counted in /metrics",
    );
  }

  /** Waits while another process uses the account. */
  async #acquireLease(): Promise<Lease> {
    const { store } = this.#options.runtime;
    const name = accountName(this.name, this.account);
    if (this.#lease !== undefined) return this.#lease;
    let lease = await store.lease(name);
    if (lease === undefined) {
      this.#setState({ state: "waiting", why: "this account is already in use by another process" });
      lease = await store.waitForLease(name, this.#closing.signal);
    }
    const { lost } = lease;
    lost.addEventListener("abort", () => this.#restart(), { once: true });
    this.#lease = lease;
    return lease;
  }

  /** Disconnects at once: another process may be connected as this account. Then waits until it can connect again. */
  #restart(): void {
    if (this.#closing.signal.aborted) return;
    const { logger } = this.#options;
    logger.warn({ channel: this.name, account: this.account }, "another process uses this account");
    this.#running = this.#running
      .then(() => this.#closeParts(0))
      .catch((error) => logger.error({ channel: this.name, err: error }, "could not close the channel"))
      .then(() => {
        this.#parts = undefined;
        this.#transport = undefined;
        this.#lease = undefined;
        this.#connected = this.#nextConnection();
        return this.#run();
      });
  }

  async #openParts(): Promise<Parts> {
    const { runtime, reception, load, logger, metrics, world } = this.#options;
    // Throws if the account's agent does not exist.
    runtime.agents.workspaceOf(reception.agent ?? MAIN);
    const channel = await load();
    const lease = await this.#acquireLease();
    const openJournal =
      (name: string): OpenJournal =>
      (options) =>
        runtime.store.journal(`${accountName(this.name, this.account)}/${name}`, lease, options);
    const shared = {
      channel: this.name,
      account: this.account,
      traits: channel.traits,
      world,
      logger,
      metrics,
    };
    const outbox = await Outbox.open({ ...shared, openJournal: openJournal("outbox") });
    const { settings } = this.#options;
    const policy = async () => ({ settings, people: await this.#people.approved() });
    const delivery = new Delivery({ runtime, channel, reception, outbox, world, logger, policy });
    const { choose, ...handlers } = handlersFor({
      ...{ runtime, world, reception, channel, outbox, delivery },
      policy,
      people: this.#people,
      connected: this.#connected,
      me: () => (this.#state.state === "connected" ? this.#state.me : undefined),
    });
    const inbox = await Inbox.open({ ...shared, ...handlers, openJournal: openJournal("inbox") }).catch(
      async (error) => {
        // The retry opens it again.
        await outbox.close(0);
        throw error;
      },
    );
    inbox.resume();
    delivery
      .resume()
      .catch((error) =>
        logger.error({ channel: this.name, err: error }, "could not deliver pending answers"),
      );
    return { channel, inbox, outbox, delivery, choose };
  }
}
