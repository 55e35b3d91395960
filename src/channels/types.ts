import type { ReplyPayload } from "../core/types.js";
import type { Format } from "../markdown/index.js";
import type { Attachment, Chat, Inbound, Person } from "./message-schema.js";
import { cappedPause } from "./pauses.js";

export type { Attachment, Chat, Inbound, Person };

/** @deprecated Use `Chat`. */
export type Place = Chat;

/** One request to the platform. `plain` is the same without formatting, in case the platform rejects the formatting. */
export interface Outgoing<Native = unknown> {
  native: Native;
  plain?: Native;
  /** A file to send with it: an https URL, or a URL for the options' `media`. */
  mediaUrl?: string;
  /** Instead of `mediaUrl`: several files that the platform shows together. */
  mediaUrls?: readonly string[];
}

export interface Media {
  bytes: Uint8Array;
  mimeType?: string;
  name?: string;
}

/** A channel's state, for people and for `/metrics`. */
export type ChannelState =
  | { state: "connecting" }
  /** With `why` if it works only in part. */
  | { state: "connected"; me: Person; why?: string }
  /** It retries by itself. */
  | { state: "waiting"; why: string; untilMs?: number }
  /** It stays stopped until someone fixes the cause. */
  | { state: "stopped"; why: string; hint?: string }
  /** It waits to be linked on a phone with this code. */
  | { state: "pairing"; code: string };

/** Small texts by name, durable. Names may contain any characters. */
export interface KeptValues {
  names(): Promise<string[]>;
  read(name: string): Promise<string | undefined>;
  /** Writes of one name are stored in the order of the calls, and a read sees the writes that were called before it. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** A button under a message. `data` has at most 64 bytes. */
export interface ButtonChoice {
  data: string;
  title: string;
}

/** A button that a person pressed. A person's client can send any data. */
export interface Choice {
  place: Chat;
  sender: Person;
  data: string;
}

export interface ChannelOptions<Settings> {
  settings: Settings;
  /** What the channel keeps, such as keys; a group has names of its own (default: those without a group). */
  values(group?: string): KeptValues;
  /** Resolves when the message is on disk. Only then may it be acknowledged to the platform. */
  receive(inbound: Inbound): Promise<void>;
  /** Resolves with a short reply for the person, once the choice is on disk. */
  choose(choice: Choice): Promise<string>;
  onState(state: ChannelState): void;
  /** The current ids of people who may write to the bot. */
  people(): Promise<readonly string[]>;
  /** Reports a message that cannot be read and is dropped. `why` contains nothing people wrote. */
  onUnread(why: string): void;
  /** Opens one of our own files. Rejects if it is missing or too large. */
  media(url: string, mostBytes: number): Promise<Media>;
  fetch: typeof fetch;
  now(): number;
}

/** A connection to a platform, as one account. */
export interface Transport<Native = unknown> {
  /**
   * Resolves with the platform's id once the platform accepts it. Rejects with a `SendError`.
   *
   * @param key unique per request, and the same for each retry of it
   */
  send(place: Chat, outgoing: Outgoing<Native>, key: string): Promise<{ id: string }>;
  /** Replaces a sent message, if the platform supports it. An edit that changes nothing succeeds. */
  edit?(place: Chat, id: string, outgoing: Outgoing<Native>): Promise<void>;
  /** Shows a typing indicator for a few seconds. */
  typing?(place: Chat): Promise<void>;
  /** Downloads a file. Rejects if it is too large. */
  fetch(attachment: Attachment, mostBytes: number): Promise<Pick<Media, "bytes">>;
  /** Handles the platform's HTTP requests, if it calls us. */
  webhook?(request: WebhookRequest): Promise<WebhookReply>;
  close(): Promise<void>;
}

export interface WebhookRequest {
  method: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** The raw bytes, because signatures cover bytes. */
  body: Uint8Array;
}

export interface WebhookReply {
  status: number;
  json?: unknown;
}

/** A platform's limits. Differences between platforms are declared here; no code checks a platform's name. */
export interface Traits {
  /** Minimum time between two edits of one message. */
  editEveryMs?: number;
  /** The same in groups, if the platform allows fewer there. */
  groupEditEveryMs?: number;
  /** A sender's rapid messages are combined once no other has arrived for this long. */
  debounceMs: number;
  /** Minimum time between two messages of the account, across all chats. */
  sendEveryMs?: number;
  /** How long a typing indicator is shown. */
  typingMs?: number;
  /** Larger files are not downloaded. */
  mostBytes: number;
  /** Larger files are not sent (default: no limit, the platform decides). */
  mostSentBytes?: number;
  /** A reply needs the id of the chat of the message it answers. */
  replyNamesChat?: boolean;
  /** A direct chat has its own id; nothing can be sent to a person's id. */
  directChatHasId?: boolean;
  /** The platform deduplicates by key, so a request with an unknown outcome can be retried. */
  repeatable?: boolean;
}

/** The bot's identity: used for `To` and to recognise mentions. */
export interface Bot {
  id: string;
  /** Its name on the platform, without `@`. */
  name?: string;
}

/** A normalised message, or why the native value is not a message. */
export type Normalised = Inbound | { why: string };

/** A setting that `dragoman channels add` accepts as an option: `--url URL`. */
export interface SettingOption {
  /** The placeholder in help: `URL`. */
  value: string;
  summary: string;
  /** Turns the option's text into the setting (default: the text itself). */
  read?(text: string): string;
}

/** An npm package the user installs. */
export interface ClientPackage {
  name: string;
  /** The argument for `npm install`, if the name alone installs another version. */
  install?: string;
}

/**
 * A platform: its properties, pure functions from and to its native messages, and how to connect. The schema of its account
 * settings is in its folder's `settings.ts`, because schemas are not loaded at run time.
 */
export interface Channel<Settings = unknown, Native = unknown> {
  title: string;
  traits: Traits;
  /** The setting that is a secret. Accounts of a channel without one create their own keys and are linked on a phone. */
  secret?: string;
  /** The npm packages of the platform's client. */
  packages: readonly ClientPackage[];
  /** The platform's text format (default: Markdown, unchanged). */
  style?: Format;
  /** By setting name. */
  options?: Readonly<Record<string, SettingOption>>;
  /** Example commands that add an account, for help. */
  examples?: readonly string[];
  /** What `normalise` reads, for help: `a Discord API message`. */
  nativeForm: string;
  /** Reads a native message. Pure. */
  normalise(native: unknown, bot: Bot): Normalised;
  /** Renders an answer as native requests, formatted and split to fit. Pure. */
  outgoing(payload: ReplyPayload, place: Chat): Outgoing<Native>[];
  /** Adds buttons to a rendered message, if the platform has them. An edit without buttons removes them. Pure. */
  withButtons?(outgoing: Outgoing<Native>, choices: readonly ButtonChoice[]): Outgoing<Native>;
  /** Asks the platform for the account's identity, without receiving messages. */
  whoami?(settings: Settings, fetcher: typeof fetch): Promise<Person>;
  /** How an account's name is written: `@name`. */
  mention?(name: string): string;
  /** How messages reach an account that has no chat to write in. */
  reachedBy?(account: string): string;
  /** What to do with a linking code; `scan` is shown as a QR code. */
  showCode?(code: string): { instruction: string; scan?: string };
  /** Warnings about settings that work but are risky. */
  warnings?(settings: Settings): readonly { message: string; fix: string }[];
  /** Loads the platform's client, connects, and receives until closed. */
  open(options: ChannelOptions<Settings>): Promise<Transport<Native>>;
}

/**
 * A failed send, and what is known of the outcome.
 * - `refused`: the platform will never accept it. It may accept the requests in `instead`, which have the same content.
 * - `later`: certainly not sent; may be retried after `afterMs`.
 * - `unknown`: may have been sent; a retry could send it twice.
 */
export class SendError extends Error {
  readonly fate: "refused" | "later" | "unknown";
  readonly afterMs: number | undefined;
  readonly instead: readonly Outgoing[] | undefined;

  constructor(
    fate: SendError["fate"],
    message: string,
    options: { afterMs?: number; instead?: readonly Outgoing[]; cause?: unknown } = {},
  ) {
    super(message, options);
    this.fate = fate;
    this.instead = options.instead;
    this.afterMs = options.afterMs === undefined ? undefined : cappedPause(options.afterMs);
  }
}
