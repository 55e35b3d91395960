import { defined } from "../../core/json/defined.js";
import { isObject } from "../../core/json/value.js";
import type { KeptValues } from "../types.js";
import type { Where } from "./where.js";

/** Channels to remember: those with the latest messages. */
const MOST = 1000;
/** The value that holds it. */
const NAME = "last-messages";
const SAVE_AFTER_MS = 1000;

interface Remembered {
  /** The last received message. */
  last: string;
  /** Unknown in values of the first version, until Discord states it. */
  where?: Where;
  /** The bot that received it. The account may have been another bot before. */
  bot?: string;
}

/**
 * The last received message and the location of each channel, so that a later connection can read the messages it missed.
 * Written at intervals: messages that are read twice are answered once.
 *
 *     {"31": {"last": "120", "kind": "server", "server": "3", "parent": "30", "bot": "555"}, "77": {"last": "99", "kind": "direct", "person": "42"},
 *      "begun": {"555": "1340000000000000000"}}
 */
export class Memory {
  readonly #values: KeptValues;
  readonly #channels: Map<string, Remembered>;
  /** When each bot first connected, as a Discord id of that time. */
  readonly #firstConnected: Map<string, string>;
  #bot: string | undefined;
  #since: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(values: KeptValues, { channels, begun }: Stored) {
    this.#values = values;
    this.#channels = new Map(channels);
    this.#firstConnected = new Map(begun);
  }

  static async load(values: KeptValues): Promise<Memory> {
    const text = await values.read(NAME).catch(() => undefined);
    return new Memory(values, storedIn(text ?? "{}"));
  }

  /** Selects the bot whose channels are used from now on. */
  selectBot(bot: string, now: number): void {
    if (this.#bot === bot) return;
    this.#bot = bot;
    const ids = this.channels.flatMap((channel) => this.last(channel) ?? []);
    this.#since = ids.reduce(laterOf, this.#firstConnected.get(bot));
    if (this.#since !== undefined) return;
    this.#since = idAt(now);
    this.#firstConnected.set(bot, this.#since);
    this.#saveLater();
  }

  /**
   * Earlier processes received everything up to this id; without any, the time of the first connection. Undefined before
   * that.
   */
  get since(): string | undefined {
    return this.#since;
  }

  /** People whose direct channels are known. */
  get people(): ReadonlySet<string> {
    const where = this.channels.map((channel) => this.where(channel));
    return new Set(where.flatMap((one) => (one?.kind === "direct" ? (one.person ?? []) : [])));
  }

  get channels(): readonly string[] {
    return [...this.#channels.keys()].filter((channel) => this.#entryOf(channel) !== undefined);
  }

  last(channel: string): string | undefined {
    return this.#entryOf(channel)?.last;
  }

  where(channel: string): Where | undefined {
    return this.#entryOf(channel)?.where;
  }

  record(channel: string, message: string, where = this.where(channel)): void {
    const before = this.#entryOf(channel);
    const isMore = before === undefined || isLater(message, before.last);
    const last = isMore ? message : before.last;
    // Ordered by latest message, newest last.
    if (isMore) this.#channels.delete(channel);
    this.#channels.set(channel, defined({ last, where, bot: this.#bot }));
    const [oldest] = this.#channels.keys();
    if (this.#channels.size > MOST && oldest !== undefined) this.#channels.delete(oldest);
    this.#saveLater();
  }

  /** Adds a channel without received messages, if that does not displace another channel. */
  addChannel(channel: string, message: string, where: Where): void {
    if (this.#channels.size < MOST) this.record(channel, message, where);
  }

  /** Resolves when everything is on disk. Failures are ignored: the next process then reads more messages again. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#values.write(NAME, this.#text()).catch(() => undefined);
  }

  #saveLater(): void {
    this.#timer ??= setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  #entryOf(channel: string): Remembered | undefined {
    const known = this.#channels.get(channel);
    const isOurs = known?.bot === undefined || this.#bot === undefined || known.bot === this.#bot;
    return isOurs ? known : undefined;
  }

  #text(): string {
    const channels = [...this.#channels].map(([channel, { where, ...rest }]) => [
      channel,
      { ...rest, ...where },
    ]);
    const begun = this.#firstConnected.size === 0 ? {} : { begun: Object.fromEntries(this.#firstConnected) };
    return JSON.stringify({ ...Object.fromEntries(channels), ...begun });
  }
}

/** Discord ids grow with time. */
export function isLater(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

function laterOf(one: string | undefined, other: string): string {
  return one === undefined || isLater(other, one) ? other : one;
}

export function earlierOf(one: string, other: string): string {
  return isLater(one, other) ? other : one;
}

/** Discord ids start with the milliseconds since 2015. */
function idAt(now: number): string {
  return String((BigInt(Math.floor(now)) - 1_420_070_400_000n) << 22n);
}

export function idBefore(id: string): string {
  return /^\d+$/.test(id) ? String(BigInt(id) - 1n) : id;
}

interface Stored {
  channels: [string, Remembered][];
  begun: [string, string][];
}

function storedIn(text: string): Stored {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the file, missed messages are not read.
    return { channels: [], begun: [] };
  }
  if (!isObject(value)) return { channels: [], begun: [] };
  const { begun, ...entries } = value;
  const times = Object.entries(isObject(begun) ? begun : {});
  const channels = Object.entries(entries).flatMap(([channel, entry]) => {
    const remembered = rememberedOf(entry);
    return remembered === undefined ? [] : [[channel, remembered] satisfies [string, Remembered]];
  });
  return {
    channels,
    begun: times.flatMap(([bot, id]) =>
      typeof id === "string" ? [[bot, id] satisfies [string, string]] : [],
    ),
  };
}

/** The first version of the file stored only the id. */
function rememberedOf(entry: unknown): Remembered | undefined {
  if (typeof entry === "string") return { last: entry };
  if (!isObject(entry) || typeof entry["last"] !== "string") return undefined;
  const { last, kind, server, parent, person, bot } = entry;
  const where: Where | undefined =
    kind === "direct"
      ? { kind, ...(typeof person === "string" && { person }) }
      : kind === "server" && typeof server === "string"
        ? { kind, server, ...(typeof parent === "string" && { parent }) }
        : undefined;
  return { last, ...(where !== undefined && { where }), ...(typeof bot === "string" && { bot }) };
}
