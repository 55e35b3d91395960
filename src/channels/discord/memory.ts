import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../core/json/value.js";
import type { Where } from "./where.js";

/** The number of channels to remember: those with the latest messages. */
const MOST = 1000;
const SAVE_AFTER_MS = 1000;

interface Remembered {
  /** The last message that was received there. */
  last: string;
  /** Undefined until Discord tells, which files of the first version did not store. */
  where?: Where;
  /** The bot that received it. Another bot in the same account has messages of its own. */
  bot?: string;
}

/**
 * The last message that was received in each channel, and where the channel is, so that a later connection can ask for the messages
 * it missed. It is written at intervals: a message that is asked for twice is answered once.
 *
 *     {"31": {"last": "120", "kind": "server", "server": "3", "parent": "30", "bot": "555"}, "77": {"last": "99", "kind": "direct", "person": "42"},
 *      "begun": {"555": "1340000000000000000"}}
 */
export class Memory {
  readonly #path: string;
  readonly #channels: Map<string, Remembered>;
  /** When each bot first connected, as an id of that time. */
  readonly #firstConnected: Map<string, string>;
  #bot: string | undefined;
  #since: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, { channels, begun }: Stored) {
    this.#path = path;
    this.#channels = new Map(channels);
    this.#firstConnected = new Map(begun);
  }

  static async load(folder: string): Promise<Memory> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, "last-messages.json");
    return new Memory(path, storedIn(await readFile(path, "utf8").catch(() => "{}")));
  }

  /** From here on it is about the channels of this bot. */
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
   * Everything up to this id was received by processes before this one, as far as there was anybody to receive it. Where there was
   * no such process, it is the time of the first connection. Undefined before that.
   */
  get since(): string | undefined {
    return this.#since;
  }

  /** Those whose direct channels are known. */
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
    // The channel with the latest message is at the end.
    if (isMore) this.#channels.delete(channel);
    this.#channels.set(channel, {
      last,
      ...(where !== undefined && { where }),
      ...(this.#bot !== undefined && { bot: this.#bot }),
    });
    const [oldest] = this.#channels.keys();
    if (this.#channels.size > MOST && oldest !== undefined) this.#channels.delete(oldest);
    this.#saveLater();
  }

  /** Where a channel without any received message begins. It takes no other channel's room. */
  addChannel(channel: string, message: string, where: Where): void {
    if (this.#channels.size < MOST) this.record(channel, message, where);
  }

  /** Fulfilled when everything that was noted is on disk, or cannot be: then more is asked for next time. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#write()).catch(() => undefined);
    return this.#saving;
  }

  #saveLater(): void {
    this.#timer ??= setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  #entryOf(channel: string): Remembered | undefined {
    const known = this.#channels.get(channel);
    const isOurs = known?.bot === undefined || this.#bot === undefined || known.bot === this.#bot;
    return isOurs ? known : undefined;
  }

  async #write(): Promise<void> {
    const unfinished = `${this.#path}.new`;
    const channels = [...this.#channels].map(([channel, { where, ...rest }]) => [
      channel,
      { ...rest, ...where },
    ]);
    const begun = this.#firstConnected.size === 0 ? {} : { begun: Object.fromEntries(this.#firstConnected) };
    const text = JSON.stringify({ ...Object.fromEntries(channels), ...begun });
    await writeFile(unfinished, text, { mode: 0o600 });
    await rename(unfinished, this.#path);
  }
}

/** Ids of Discord grow with time. */
export function isLater(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

function laterOf(one: string | undefined, other: string): string {
  return one === undefined || isLater(other, one) ? other : one;
}

export function earlierOf(one: string, other: string): string {
  return isLater(one, other) ? other : one;
}

/** Ids begin with the milliseconds since 2015. */
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
    // It is only a help: without it nothing that was said before is asked for.
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

/** The first version of the file had the id alone. */
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
