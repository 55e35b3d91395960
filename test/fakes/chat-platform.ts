import type {
  Channel,
  ChannelOptions,
  Chat,
  Inbound,
  Media,
  Outgoing,
  Traits,
  Transport,
} from "../../src/channels/types.js";
import type { ReplyPayload } from "../../src/core/types.js";

export interface Shown {
  id: string;
  chat: string;
  thread?: string;
  text: string;
}

export interface ChatPlatformOptions {
  traits?: Partial<Traits>;
  /** Longer texts are sent in parts. */
  partLength?: number;
  edits?: boolean;
}

/** A request that the platform is asked to take. What is thrown here becomes of it. */
export interface PlatformRequest {
  kind: "send" | "edit";
  chat: string;
  text: string;
  /** Shows it all the same. */
  show(): void;
}

/** A chat platform in memory: people say something, and see what is said to them. */
export class ChatPlatform {
  /** What people see, in the order it was sent. */
  readonly shown: Shown[] = [];
  /** Every request that was made, also those that failed: `send 7: hi`, `edit 1: hi there`, `typing 7`. */
  readonly requests: string[] = [];
  readonly files = new Map<string, Uint8Array>();
  /** Before a request is taken; it may wait, or throw. */
  before: (request: PlatformRequest) => Promise<void> | void = () => undefined;
  /** Before the bytes of a file are given; it may wait, or throw. */
  beforeFile: (handle: string) => Promise<void> | void = () => undefined;
  /** When it is connected, and nobody knows yet. */
  whileOpening: (options: ChannelOptions<unknown>) => Promise<void> = async () => undefined;
  opened: ChannelOptions<unknown> | undefined;
  closed = 0;
  /** Thrown by the next attempts to connect. */
  refusals: Error[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #options: ChatPlatformOptions;
  #ids = 0;

  constructor(options: ChatPlatformOptions = {}) {
    this.#options = options;
  }

  readonly load = async (): Promise<Channel> => this.channel();

  channel(): Channel<unknown, string> {
    const { traits, partLength = 1000 } = this.#options;
    return {
      title: "A fake",
      traits: { debounceMs: 0, mostBytes: 1000, ...traits },
      packages: [],
      nativeForm: "nothing",
      normalise: () => ({ why: "it says nothing" }),
      outgoing: (payload) => parts(payload, partLength),
      open: async (options) => {
        const refusal = this.refusals.shift();
        if (refusal !== undefined) throw refusal;
        this.opened = options;
        options.onState({ state: "connected", me: { id: "99", name: "bot" } });
        this.#changed();
        await this.whileOpening(options);
        return this.#transport();
      },
    };
  }

  /** Somebody says something. Fulfilled when it was received. */
  async say(inbound: Inbound): Promise<void> {
    await this.until(() => this.opened !== undefined);
    await this.opened?.receive(inbound);
  }

  /** Fulfilled as soon as it is so. */
  async until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  /** What is shown in a chat. */
  texts(chat: string): string[] {
    return this.shown.filter((message) => message.chat === chat).map(({ text }) => text);
  }

  /** Fulfilled with them when a chat shows so many messages. */
  async hasShown(chat: string, count: number): Promise<string[]> {
    await this.until(() => this.texts(chat).length >= count);
    return this.texts(chat);
  }

  #transport(): Transport<string> {
    const edit: Transport<string>["edit"] = async ({ chat }, id, { native }) => {
      const show = () => {
        const message = this.shown.find((one) => one.id === id);
        if (message !== undefined) message.text = native;
        this.#changed();
      };
      await this.#take({ kind: "edit", chat, text: native, show }, `edit ${id}: ${native}`);
    };
    return {
      send: async (place, outgoing) => {
        const id = String(++this.#ids);
        const text = textOf(outgoing);
        const show = () => {
          this.shown.push(shownAt(place, id, text));
          this.#changed();
        };
        await this.#take({ kind: "send", chat: place.chat, text, show }, `send ${place.chat}: ${text}`);
        return { id };
      },
      ...(this.#options.edits === true ? { edit } : {}),
      typing: async ({ chat }) => {
        this.requests.push(`typing ${chat}`);
        this.#changed();
      },
      fetch: async ({ handle }): Promise<Media> => {
        await this.beforeFile(handle);
        const bytes = this.files.get(handle);
        if (bytes === undefined) throw new Error("there is no such file");
        return { bytes };
      },
      webhook: async ({ body }) => ({ status: 200, json: { bytes: body.length } }),
      close: async () => {
        this.closed++;
        this.opened = undefined;
      },
    };
  }

  async #take(request: PlatformRequest, told: string): Promise<void> {
    this.requests.push(told);
    this.#changed();
    await this.before(request);
    request.show();
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

function shownAt({ chat, thread }: Chat, id: string, text: string): Shown {
  return { id, chat, ...(thread === undefined ? {} : { thread }), text };
}

function textOf({ native, mediaUrl }: Outgoing<string>): string {
  return mediaUrl === undefined ? native : `${native}<${mediaUrl}>`;
}

function parts({ text = "", mediaUrls = [], isError, replyToId }: ReplyPayload, length: number) {
  const marked = `${replyToId === undefined ? "" : `@${replyToId} `}${isError === true ? "! " : ""}${text}`;
  const texts = marked.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
  return [...texts.map((native) => ({ native })), ...mediaUrls.map((mediaUrl) => ({ native: "", mediaUrl }))];
}

let messages = 0;

/** A direct message of Ann's, or whatever else is said of it. */
export function inboundOf(text: string, more: Partial<Inbound> = {}): Inbound {
  const { place = { kind: "direct", chat: "7" }, sender = { id: "7", name: "Ann" } } = more;
  const id = more.id ?? `m${++messages}`;
  return {
    message: { From: sender.id, To: place.chat, ChatType: place.kind, Text: text, MessageId: id },
    attachments: [],
    addressed: true,
    ...more,
    id,
    place,
    sender,
  };
}
