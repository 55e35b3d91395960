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

/** Discord tells of a server within seconds after READY, unless something is wrong on its side. */
const LOAD_MS = 15_000;

export interface IntakeOptions {
  memory: Memory;
  history: History;
  signal: AbortSignal;
  now(): number;
  people(): Promise<readonly string[]>;
  receive(inbound: Inbound): Promise<void>;
  onUnread(why: string): void;
  /** Channels whose messages cannot be received yet, and why; undefined when there are none. */
  onTrouble(why: string | undefined): void;
}

/** The messages of one connection, live or missed before it, each when it is known where it was written. */
export class Intake {
  readonly known = new Guilds();
  readonly #options: IntakeOptions;
  readonly #streams = new Map<string, ChannelStream>();
  /** Remembered channels of which nobody has said yet whether messages were missed there. */
  #unchecked = new Set<string>();
  /** Channels that are direct ones, as Discord has told in this connection. */
  readonly #direct = new Set<string>();
  readonly #troubles = new Map<string, string>();
  /** Who waits for Discord to tell of a server. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(options: IntakeOptions) {
    this.#options = options;
    const release = () => {
      for (const server of [...this.#waiting.keys()]) this.#release(server);
    };
    options.signal.addEventListener("abort", release, { once: true });
  }

  /** Reads an event of the gateway. It returns before anything is received. */
  accept(event: string, data: unknown): void {
    const told = this.known.accept(event, data);
    if (event === "READY") this.#reset();
    if (!isObject(data)) return;
    const { id } = data;
    const after = event === "GUILD_CREATE" && typeof id === "string" ? this.#missedAfter(id) : undefined;
    for (const one of told) this.#checkListed(one, after);
    if (event === "GUILD_CREATE" && typeof id === "string" && this.known.isLoaded(id))
      this.#checkUnlisted(id);
    if (event === "MESSAGE_CREATE") this.#push(data, false);
    // A link that is shown with a picture "updates" its message too.
    if (event === "MESSAGE_UPDATE" && typeof data["edited_timestamp"] === "string") this.#push(data, true);
  }

  /** Nothing of the last connection is continued: every channel may have a gap. Those of servers wait until Discord tells of them. */
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

  /** Those who are let in by name may have written for the first time while nobody listened. */
  async #findPeople(): Promise<void> {
    const { memory, history, signal, people } = this.#options;
    const unknown = (await people()).filter((id) => /^\d{1,20}$/.test(id) && !memory.people.has(id));
    await findDirectChannels({
      ...{ history, signal },
      people: unknown,
      onFound: (person, channel) => this.#addDirectChannel(person, channel),
      onTrouble: (person, why) => this.#reportTrouble(`of ${person}`, why),
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

  /** Channels of a server that are younger than this id were made while nobody listened. Undefined for a server that is new to us. */
  #missedAfter(server: string): string | undefined {
    const { memory } = this.#options;
    const isOurs = (where: Where | undefined) => where?.kind === "server" && where.server === server;
    return memory.channels.some((channel) => isOurs(memory.where(channel))) ? memory.since : undefined;
  }

  #checkListed({ channel, where, newest }: ListedChannel, missedAfter: string | undefined): void {
    const { memory } = this.#options;
    const isMissed = missedAfter !== undefined && isLater(channel, missedAfter);
    // The first message of a forum's thread has the id of the thread.
    const last = memory.last(channel) ?? (isMissed ? idBefore(channel) : undefined);
    if (last === undefined) memory.addChannel(channel, newest, where);
    else memory.record(channel, last, where);
    this.#unchecked.delete(channel);
    if (last !== undefined && isLater(newest, last)) this.#stream(channel).fillGap();
  }

  /** A server lists no threads that are closed, though somebody may have written there. */
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
    } else this.#options.onUnread(misfitOf(message));
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

  /** Only what Discord says decides: that a message names no server means nothing, unless the gateway itself tells of it. */
  async #where(channel: string, live: Live | undefined): Promise<Where | undefined> {
    const { memory, history } = this.#options;
    const server = live?.message["guild_id"];
    const remembered = memory.where(channel);
    const hint: Where | undefined =
      typeof server === "string" ? { kind: "server", server } : live && { kind: "direct" };
    let where = this.known.locations.get(channel) ?? remembered;
    if (where === undefined || (where.kind === "direct" && hint?.kind === "server")) {
      // Whether it is a thread is not in the message.
      where = hint?.kind === "direct" ? hint : ((await history.where(channel)) ?? hint);
    }
    if (where?.kind !== "server") return where;
    await this.#untilLoaded(where.server);
    const told = this.known.locations.get(channel) ?? where;
    this.known.locations.set(channel, told);
    return told;
  }

  /** A message that is taken for a direct one is answered without a mention, and from the person's own conversation. */
  async #confirm(channel: string, where: Where): Promise<Where | undefined> {
    if (where.kind === "server" || this.#direct.has(channel)) return where;
    const told = await this.#options.history.where(channel);
    if (told?.kind === "direct") this.#direct.add(channel);
    if (told?.kind !== "server") return told && where;
    this.known.locations.set(channel, told);
    return this.#where(channel, undefined);
  }

  /** What mentions the bot is known when Discord has told of the server: which role is the bot's. If it does not tell, it is asked. */
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

function misfitOf(message: unknown): string {
  const checked = checkNative("DiscordMessage", message);
  return "misfit" in checked ? checked.misfit : "a message without an id";
}
