import { isObject } from "../../core/json/value.js";
import { reasonOf } from "../network-failure.js";
import type { Inbound } from "../types.js";
import { ChannelStream, type Live } from "./channel-stream.js";
import { findDirectChannels } from "./direct-channels.js";
import { Guilds, type ListedChannel } from "./guilds.js";
import type { DirectChannel, History, Listed } from "./history.js";
import { earlierOf, idBefore, isLater, type Memory } from "./memory.js";
import { checkNative, normalise } from "./normalise.js";
import type { Where } from "./where.js";

/** GUILD_CREATE follows READY within seconds, unless Discord has an outage. */
const LOAD_MS = 15_000;

export interface IntakeOptions {
  memory: Memory;
  history: History;
  signal: AbortSignal;
  now(): number;
  people(): Promise<readonly string[]>;
  receive(inbound: Inbound): Promise<void>;
  onUnread(why: string): void;
  /** A person pressed a button; `where` finds the location of its channel. */
  onInteraction(data: unknown, where: (channel: string) => Promise<Where | undefined>): void;
  /** Why some messages cannot be received at the moment; undefined when all can. */
  onTrouble(why: string | undefined): void;
}

/** Receives one connection's messages, live and missed, once their channel's location is known. */
export class Intake {
  readonly known = new Guilds();
  readonly #options: IntakeOptions;
  readonly #streams = new Map<string, ChannelStream>();
  /** Remembered channels not yet checked for missed messages. */
  #unchecked = new Set<string>();
  /** Channels that Discord confirmed as direct in this connection. */
  readonly #direct = new Set<string>();
  readonly #troubles = new Map<string, string>();
  /** Callbacks waiting for a server's GUILD_CREATE. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(options: IntakeOptions) {
    this.#options = options;
    const release = () => {
      for (const server of [...this.#waiting.keys()]) this.#release(server);
    };
    options.signal.addEventListener("abort", release, { once: true });
  }

  /** Accepts a gateway event. Returns before anything is stored. */
  accept(event: string, data: unknown): void {
    const listed = this.known.accept(event, data);
    if (event === "READY") this.#reset();
    if (!isObject(data)) return;
    const { id } = data;
    const after = event === "GUILD_CREATE" && typeof id === "string" ? this.#missedAfter(id) : undefined;
    for (const channel of listed) this.#checkListed(channel, after);
    if (event === "GUILD_CREATE" && typeof id === "string" && this.known.isLoaded(id))
      this.#checkUnlisted(id);
    if (event === "INTERACTION_CREATE")
      this.#options.onInteraction(data, (channel) => this.#whereOf(channel));
    if (event === "MESSAGE_CREATE") this.#push(data, false);
    // Discord also sends an update when it adds a link preview.
    if (event === "MESSAGE_UPDATE" && typeof data["edited_timestamp"] === "string") this.#push(data, true);
  }

  /** A new session: every channel may have a gap. Server channels wait for their GUILD_CREATE. */
  #reset(): void {
    const { memory, now, onTrouble } = this.#options;
    memory.selectBot(this.known.id, now());
    this.#findPeople().catch((error: unknown) => onTrouble(reasonOf(error)));
    this.#unchecked = new Set(memory.channels);
    for (const stream of this.#streams.values()) stream.fillGap();
    for (const channel of memory.channels) {
      if (memory.where(channel)?.kind !== "server") this.#stream(channel);
    }
  }

  /** People who may write to the bot may have done so for the first time while the gateway was down. */
  async #findPeople(): Promise<void> {
    const { memory, history, signal, people } = this.#options;
    const unknown = (await people()).filter((id) => /^\d{1,20}$/.test(id) && !memory.people.has(id));
    await findDirectChannels({
      ...{ history, signal },
      people: unknown,
      onFound: (person, channel) => this.#addDirectChannel(person, channel),
      onTrouble: (person, why) => this.#reportTrouble(`person ${person}`, why),
    });
  }

  #addDirectChannel(person: string, { id, newest }: DirectChannel): void {
    const { memory } = this.#options;
    const { since = newest ?? id } = memory;
    const last = memory.last(id) ?? earlierOf(newest ?? id, since);
    memory.record(id, last, { kind: "direct", person });
    this.#direct.add(id);
    if (newest !== undefined && isLater(newest, last)) this.#stream(id).fillGap();
  }

  /** A server's channels above this id were created while the gateway was down. Undefined for a new server. */
  #missedAfter(server: string): string | undefined {
    const { memory } = this.#options;
    const isOurs = (where: Where | undefined) => where?.kind === "server" && where.server === server;
    return memory.channels.some((channel) => isOurs(memory.where(channel))) ? memory.since : undefined;
  }

  #checkListed({ channel, where, newest }: ListedChannel, missedAfter: string | undefined): void {
    const { memory } = this.#options;
    const isMissed = missedAfter !== undefined && isLater(channel, missedAfter);
    // A forum thread's first message has the thread's id.
    const last = memory.last(channel) ?? (isMissed ? idBefore(channel) : undefined);
    if (last === undefined) memory.addChannel(channel, newest, where);
    else memory.record(channel, last, where);
    this.#unchecked.delete(channel);
    if (last !== undefined && isLater(newest, last)) this.#stream(channel).fillGap();
  }

  /** Archived threads are not listed, but may have missed messages. */
  #checkUnlisted(server: string): void {
    const { memory } = this.#options;
    for (const channel of this.#unchecked) {
      const where = memory.where(channel);
      if (where?.kind === "server" && where.server === server) this.#stream(channel);
    }
    this.#release(server);
  }

  #release(server: string): void {
    for (const resolve of this.#waiting.get(server) ?? []) resolve();
    this.#waiting.delete(server);
  }

  #push(message: Record<string, unknown>, isEdit: boolean): void {
    const { channel_id: channel, id } = message;
    if (typeof channel === "string" && typeof id === "string") {
      if (message["guild_id"] === undefined) this.#direct.add(channel);
      this.#stream(channel).push({ message: { ...message, id }, isEdit });
    } else {
      const checked = checkNative("DiscordMessage", message);
      this.#options.onUnread("misfit" in checked ? checked.misfit : "a message without an id");
    }
  }

  #stream(channel: string): ChannelStream {
    const before = this.#streams.get(channel);
    if (before !== undefined) return before;
    const { memory, history, signal, onUnread } = this.#options;
    const stream = new ChannelStream({
      ...{ channel, memory, history, signal, onUnread },
      where: (live) => this.#where(channel, live),
      confirm: (where) => this.#confirm(channel, where),
      deliver: (message, where, isMissed) => this.#deliver(message, where, isMissed),
      onTrouble: (why) => this.#reportTrouble(channel, why),
      onIdle: () => void this.#streams.delete(channel),
    });
    this.#streams.set(channel, stream);
    if (this.#unchecked.delete(channel)) stream.fillGap();
    return stream;
  }

  /** Of a channel in a server. */
  async #whereOf(channel: string): Promise<Where | undefined> {
    const { memory, history } = this.#options;
    const known = this.known.locations.get(channel) ?? memory.where(channel);
    return known?.kind === "server" ? known : history.where(channel);
  }

  /** A message without a server is known to be direct only if it came from the gateway; REST never names the server. */
  async #where(channel: string, live: Live | undefined): Promise<Where | undefined> {
    const { memory, history } = this.#options;
    const server = live?.message["guild_id"];
    const remembered = memory.where(channel);
    const hint: Where | undefined =
      typeof server === "string" ? { kind: "server", server } : live && { kind: "direct" };
    let where = this.known.locations.get(channel) ?? remembered;
    if (where === undefined || (where.kind === "direct" && hint?.kind === "server")) {
      // The message does not state whether its channel is a thread.
      where = hint?.kind === "direct" ? hint : ((await history.where(channel)) ?? hint);
    }
    if (where?.kind !== "server") return where;
    await this.#untilLoaded(where.server);
    const listed = this.known.locations.get(channel) ?? where;
    this.known.locations.set(channel, listed);
    return listed;
  }

  /** Confirms that a channel is direct: direct messages are answered without a mention, in the person's own conversation. */
  async #confirm(channel: string, where: Where): Promise<Where | undefined> {
    if (where.kind === "server" || this.#direct.has(channel)) return where;
    const confirmed = await this.#options.history.where(channel);
    if (confirmed?.kind === "direct") this.#direct.add(channel);
    if (confirmed?.kind !== "server") return confirmed && where;
    this.known.locations.set(channel, confirmed);
    return this.#where(channel, undefined);
  }

  /** Recognising role mentions needs the bot's role in the server: from GUILD_CREATE, or from REST if that does not come. */
  async #untilLoaded(server: string): Promise<void> {
    if (this.known.isLoaded(server)) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(server) ?? [];
      waiting.push(resolve);
      this.#waiting.set(server, waiting);
      timer = setTimeout(resolve, LOAD_MS);
    });
    clearTimeout(timer);
    const { history, signal } = this.#options;
    if (signal.aborted || this.known.isLoaded(server)) return;
    this.known.acceptRoles(server, await history.roles(server));
    this.#release(server);
  }

  async #deliver(message: Listed, where: Where, isMissed: boolean): Promise<void> {
    const { receive, onUnread } = this.#options;
    const checked = checkNative("DiscordMessage", message);
    if ("misfit" in checked) return onUnread(checked.misfit);
    const read = normalise(checked.value, where, this.known);
    if ("why" in read) return;
    await receive(isMissed && read.edits !== undefined ? { ...read, missed: true } : read);
  }

  #reportTrouble(channel: string, why: string | undefined): void {
    const before = this.#troubles.size;
    if (why === undefined) this.#troubles.delete(channel);
    else this.#troubles.set(channel, why);
    if (this.#troubles.size === before) return;
    const [first] = this.#troubles.values();
    this.#options.onTrouble(first);
  }
}
