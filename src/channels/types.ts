import type { ReplyPayload } from "../core/types.js";
import type { Format } from "../markdown/index.js";
import type { Attachment, Chat, Inbound, Person } from "./message-schema.js";
import { cappedPause } from "./pauses.js";

export type { Attachment, Chat, Inbound, Person };

/** One request to the platform: its own words, and the same without formatting for when it refuses them. */
export interface Outgoing<Native = unknown> {
  native: Native;
  plain?: Native;
  /** A file to send with it: an https address, or what `media` of the options opens. */
  mediaUrl?: string;
  /** Instead of `mediaUrl`: several files in one request, where the platform shows them together. */
  mediaUrls?: readonly string[];
}

/** A file, as much of it as was asked for. */
export interface Media {
  bytes: Uint8Array;
  mimeType?: string;
  name?: string;
}

/** What a channel has to say about itself, for people and for `/metrics`. */
export type ChannelState =
  | { state: "connecting" }
  /** With `why` when some of it does not work yet. */
  | { state: "connected"; me: Person; why?: string }
  /** It comes back by itself. */
  | { state: "waiting"; why: string; untilMs?: number }
  /** It does not, unless somebody does something. */
  | { state: "stopped"; why: string; hint?: string }
  /** It waits to be linked on a phone, with this code. */
  | { state: "pairing"; code: string };

export interface ChannelOptions<Settings> {
  settings: Settings;
  /** A folder of its own, for what it has to remember, such as keys. */
  folder: string;
  /** Fulfilled when it is on disk. Only then may the platform be told that it was received. */
  receive(inbound: Inbound): Promise<void>;
  onState(state: ChannelState): void;
  /** The ids of people who are let in by name, as they are at the moment. */
  people(): Promise<readonly string[]>;
  /** Something came that has not the shape of a message, and that nobody will see. `why` holds nothing of what people wrote. */
  onUnread(why: string): void;
  /** The file behind a `mediaUrl` of our own. Rejected when there is none, or it is too large. */
  media(url: string, mostBytes: number): Promise<Media>;
  fetch: typeof fetch;
  now(): number;
}

/** A connection to a platform, as one of its users. */
export interface Transport<Native = unknown> {
  /**
   * Fulfilled with the platform's id when it was taken. Rejected with a `SendError` that says what is known of its fate.
   *
   * @param key the same for the same request, however often it is sent, and for no other
   */
  send(place: Chat, outgoing: Outgoing<Native>, key: string): Promise<{ id: string }>;
  /** Where answers may grow while they are made. An edit that changes nothing is no error. */
  edit?(place: Chat, id: string, outgoing: Outgoing<Native>): Promise<void>;
  /** Shows for a few seconds that somebody is typing. */
  typing?(place: Chat): Promise<void>;
  /** What a file is and is called, the attachment says. Rejected when it is larger than that. */
  fetch(attachment: Attachment, mostBytes: number): Promise<Pick<Media, "bytes">>;
  /** Native requests of the platform, where it calls us. */
  webhook?(request: WebhookRequest): Promise<WebhookReply>;
  close(): Promise<void>;
}

export interface WebhookRequest {
  method: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** As it came: signatures are over bytes. */
  body: Uint8Array;
}

export interface WebhookReply {
  status: number;
  json?: unknown;
}

/** What a platform allows. Differences between platforms are said here, never asked for by name. */
export interface Traits {
  /** Between two edits of one message, and for messages of one chat. */
  editEveryMs?: number;
  /** The same where many listen, if the platform allows less there. */
  groupEditEveryMs?: number;
  /** Rapid messages of one sender are taken together when so much time has passed without another. */
  debounceMs: number;
  /** Between two messages of the account, whatever their chats, where the platform counts them together. */
  sendEveryMs?: number;
  /** How long a typing sign is shown. */
  typingMs?: number;
  /** Larger files are not fetched. */
  mostBytes: number;
  /** Larger files are not sent. Where it is not given, the platform is asked each time. */
  mostSentBytes?: number;
  /** A reply names the chat of the message it answers. */
  replyNamesChat?: boolean;
  /** A direct chat has an id of its own: nothing can be sent to a person's id. */
  directChatHasId?: boolean;
  /** What is sent again with the same key is taken once, so that it may be sent again though its fate is unknown. */
  repeatable?: boolean;
}

/** Who the bot is: what becomes `To`, and what a mention of it is recognised by. */
export interface Bot {
  id: string;
  /** Its name on the platform, without an `@`. */
  name?: string;
}

/** A message of a platform, or why something that came from it is not a message. */
export type Normalised = Inbound | { why: string };

/** A setting that `dragoman channels add` accepts as an option: `--url URL`. */
export interface SettingOption {
  /** What stands for the value in help: `URL`. */
  value: string;
  summary: string;
  /** The setting that the text of the option means (default: the text). */
  read?(text: string): string;
}

/** A package that people install themselves. */
export interface ClientPackage {
  name: string;
  /** What npm is told to install, where the name alone gives another version. */
  install?: string;
}

/**
 * A platform: what others have to know of it, pure functions from and to its own words, and the way to connect. The settings of
 * its accounts are in `settings.ts` of its folder, for a schema is not loaded at run time.
 */
export interface Channel<Settings = unknown, Native = unknown> {
  title: string;
  traits: Traits;
  /** The setting that is a secret. An account of a channel without one makes keys of its own, and is linked on a phone. */
  secret?: string;
  /** The packages of the platform's client. */
  packages: readonly ClientPackage[];
  /** How Markdown is written there; a platform without one is sent Markdown as it is. */
  style?: Format;
  /** By the setting's name. */
  options?: Readonly<Record<string, SettingOption>>;
  /** How an account is added, for help: what follows `$`, with pipes. */
  examples?: readonly string[];
  /** What `normalise` reads, for help: `a message of its API`. */
  nativeForm: string;
  /** A message in the platform's own words as one of ours. Pure. */
  normalise(native: unknown, bot: Bot): Normalised;
  /** The answer in the platform's words: formatted, in parts that fit, each one request. Pure. */
  outgoing(payload: ReplyPayload, place: Chat): Outgoing<Native>[];
  /** Asks the platform who an account is, without receiving anything. */
  whoami?(settings: Settings, fetcher: typeof fetch): Promise<Person>;
  /** How people write the name of an account: `@name`. */
  mention?(name: string): string;
  /** How messages get to an account that nobody can write to in a chat. */
  reachedBy?(account: string): string;
  /** What to do with a code that links an account; `scan` is to be shown as a QR code. */
  showCode?(code: string): { instruction: string; scan?: string };
  /** What of the settings should not be forgotten, though it works. */
  warnings?(settings: Settings): readonly { message: string; fix: string }[];
  /** Loads the platform's client, connects, and receives until it is closed. */
  open(options: ChannelOptions<Settings>): Promise<Transport<Native>>;
}

/**
 * What became of something that was to be sent.
 * - `refused`: the platform will never take it. With `instead` it may take these requests, which say the same.
 * - `later`: it was certainly not taken, and may be sent again, not before `afterMs`.
 * - `unknown`: it may have been taken. To send it again could say it twice.
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
