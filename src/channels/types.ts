import type { Loss, OpenClawMessage, ReplyPayload } from "../core/types.js";
import { askedPause } from "./pauses.js";

/** Where people talk on a platform, and where answers go. */
export interface Place {
  kind: "direct" | "group" | "channel";
  /** As the platform writes it: `-1001234567890`, `4915112345678@s.whatsapp.net`. Its case matters. */
  chat: string;
  /** A thread, or a topic of a forum. */
  thread?: string;
}

/** Somebody on a platform. The id is the platform's; the name is what they call themselves, and proves nothing. */
export interface Person {
  id: string;
  /** Other ids of the same person, where the platform has several. */
  otherIds?: readonly string[];
  name?: string;
  /** Other names that people mention the same account by, such as the user name beside the one that is shown. */
  otherNames?: readonly string[];
}

/** A file that came with a message, not fetched yet. */
export interface Attachment {
  kind: "image" | "audio" | "video" | "document";
  /** What the platform needs to hand it out; meaningless to everybody else. */
  handle: string;
  /** As the sender says. What it really is shows when it is fetched. */
  mimeType?: string;
  name?: string;
  bytes?: number;
}

/** A native message, normalised: what it says, and what has to be known to decide whether it is answered. */
export interface Inbound {
  message: OpenClawMessage;
  /** What the platform calls it; the same message delivered again has the same one. */
  id: string;
  /** The bot that the ids of this chat are for, where another bot in the same chat would get the same ids for other messages. */
  idScope?: string;
  place: Place;
  sender: Person;
  attachments: readonly Attachment[];
  /** The bot is named in it, or it answers something the bot said. */
  addressed: boolean;
  /** Messages with the same album are one. */
  album?: string;
  /** The number of its messages, where the platform tells: it waits for them. */
  albumSize?: number;
  /** It replaces what was said before under this id. */
  edits?: string;
  /** It was listed after a break: if the message that it edits was never received, it is that message. */
  missed?: true;
}

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

export type ChannelName = "telegram" | "discord" | "whatsapp" | "webhook";

/** What a channel has to say about itself, for people and for `/metrics`. */
export type ChannelState =
  | { state: "connecting" }
  /** With `why` when some of it does not work yet. */
  | { state: "connected"; me: Person; why?: string }
  /** It comes back by itself. */
  | { state: "waiting"; why: string; untilMs?: number }
  /** It does not, unless somebody does something. */
  | { state: "stopped"; why: string; hint?: string }
  /** WhatsApp wants its code scanned. */
  | { state: "pairing"; code: string };

/** How one account is doing, for people, `/rpc` and `/metrics`. It holds no secret and no code. */
export interface ChannelStatus {
  channel: ChannelName;
  account: string;
  state: ChannelState["state"];
  /** Who it is on the platform, once it is connected. */
  me?: Person;
  why?: string;
  hint?: string;
  /** Messages that were stored, and are not answered yet. */
  waiting: number;
  /** Requests of answers that are still to be sent. */
  unsent: number;
  /** Those that may have arrived, or not; nobody sends them again. */
  unknown: number;
  /** Those the platform did not take. */
  refused: number;
  /** People whose codes wait for `dragoman channels approve`. */
  pairing: number;
}

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
  send(place: Place, outgoing: Outgoing<Native>, key: string): Promise<{ id: string }>;
  /** Where answers may grow while they are made. An edit that changes nothing is no error. */
  edit?(place: Place, id: string, outgoing: Outgoing<Native>): Promise<void>;
  /** Shows for a few seconds that somebody is typing. */
  typing?(place: Place): Promise<void>;
  fetch(attachment: Attachment, mostBytes: number): Promise<Media>;
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
  /** A direct chat has an id of its own: nothing can be sent to a person's id. */
  directChatHasId?: boolean;
  /** What is sent again with the same key is taken once, so that it may be sent again though its fate is unknown. */
  repeatable?: boolean;
}

/** A platform: pure functions from and to its own words, and the way to connect. */
export interface Channel<Settings = unknown, Native = unknown> {
  name: ChannelName;
  title: string;
  traits: Traits;
  /** The answer in the platform's words: formatted, in parts that fit, each one request. Pure. */
  outgoing(payload: ReplyPayload, place: Place): Outgoing<Native>[];
  /** What of an answer's Markdown the platform cannot show as it was meant. Pure. */
  losses?(markdown: string): Loss[];
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
    this.afterMs = options.afterMs === undefined ? undefined : askedPause(options.afterMs);
  }
}
