import { join } from "node:path";
import { settingsWithSecret } from "../../channels/accounts.js";
import type { ChannelName } from "../../channels/registry.js";
import type { AccountSettings } from "../../channels/settings.js";
import type { Channel, ChannelState, Transport, WebhookReply, WebhookRequest } from "../../channels/types.js";
import { backoff } from "../../core/async/backoff.js";
import { type Clock, sleep } from "../../core/async/clock.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import { makeFolder } from "../../log/files/folder.js";
import { Locks } from "../../log/locks/lock.js";
import { MAIN } from "../../runtime/agents.js";
import type { Runtime } from "../../runtime/runtime.js";
import type { AnsweringAccount, ChannelStatus, Logger, Metrics, Reception } from "../types.js";
import { sessionKeyOf } from "./inbox/compose.js";
import { Inbox } from "./inbox/inbox.js";
import { handlersFor } from "./inbox/message-handlers.js";
import { Delivery } from "./outbox/delivery.js";
import { Outbox } from "./outbox/outbox.js";
import { openFile } from "./outbox/outgoing-files.js";
import { accountFolder, accountLock, clientFolder, PeopleStore } from "./people-store.js";

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
interface Parts {
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
  readonly #locks: Locks;
  readonly #lock: string;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #parts: Parts | undefined;
  #locked = false;
  #transport: Transport | undefined;
  readonly #connected: Promise<Transport>;
  #connect: (transport: Transport) => void = () => undefined;
  #state: ChannelState = { state: "connecting" };
  /** Reasons already logged for unreadable messages; each is logged once. */
  readonly #unread = new Set<string>();

  constructor(options: AccountLinkOptions) {
    const { home, reception, world } = options;
    this.#options = options;
    this.name = reception.channel;
    this.account = reception.account;
    this.#people = new PeopleStore(home, this.name, this.account, world.now);
    this.#locks = new Locks(join(home, "locks"));
    this.#lock = accountLock(this.name, this.account);
    this.#connected = new Promise((resolve, reject) => {
      this.#connect = resolve;
      this.#closing.signal.addEventListener("abort", () => reject(this.#closing.signal.reason));
    });
    // Nothing may be awaiting it.
    this.#connected.catch(() => undefined);
    this.#running = this.#run();
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
    const parts = this.#parts;
    if (parts !== undefined) {
      await parts.inbox.close(DRAIN_MS);
      await parts.delivery.close();
      await parts.outbox.close(DRAIN_MS);
    }
    await this.#transport?.close();
    await this.#locks.release(this.#lock);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { world } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#open();
        return;
      } catch (error) {
        if (this.#recordFailure(error)) return;
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
    const { settings, env, fetch, world, home, reception, runtime } = this.#options;
    this.#parts ??= await this.#openParts();
    const { channel, inbox, outbox } = this.#parts;
    const { agent = MAIN } = reception;
    const folder = clientFolder(home, this.name, this.account);
    await makeFolder(folder);
    const transport = await channel.open({
      settings: settingsWithSecret({ channel: this.name, account: this.account, settings }, channel, env),
      folder,
      receive: async (inbound) => {
        // Throws if there can be no session; then the message must not be acknowledged.
        sessionKeyOf(inbound, reception);
        await inbox.receive(inbound);
      },
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

  async #openParts(): Promise<Parts> {
    const { runtime, home, reception, load, logger, metrics, world } = this.#options;
    // Throws if the account's agent does not exist.
    runtime.agents.workspaceOf(reception.agent ?? MAIN);
    const channel = await load();
    const folder = accountFolder(home, this.name, this.account);
    this.#locked ||= await this.#locks.tryAcquire(this.#lock);
    if (!this.#locked) {
      throw new DragomanError("log/locked", "this account is already in use by another process", {
        hint: "stop the other gateway, or wait for it to end",
      });
    }
    const shared = {
      channel: this.name,
      account: this.account,
      traits: channel.traits,
      world,
      logger,
      metrics,
    };
    const outbox = await Outbox.open({ ...shared, path: join(folder, "outbox.jsonl") });
    const delivery = new Delivery({ runtime, channel, reception, outbox, world, logger });
    const handlers = handlersFor({
      ...{ runtime, home, world, reception, channel, outbox, delivery },
      settings: this.#options.settings,
      people: this.#people,
      connected: this.#connected,
      me: () => (this.#state.state === "connected" ? this.#state.me : undefined),
    });
    const path = join(folder, "inbox.jsonl");
    const inbox = await Inbox.open({ ...shared, ...handlers, path }).catch(async (error) => {
      // The retry opens it again.
      await outbox.close(0);
      throw error;
    });
    inbox.resume();
    delivery
      .resume()
      .catch((error) =>
        logger.error({ channel: this.name, err: error }, "could not deliver pending answers"),
      );
    return { channel, inbox, outbox, delivery };
  }
}
