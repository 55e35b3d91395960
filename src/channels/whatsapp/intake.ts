import { setTimeout as pause } from "node:timers/promises";
import type { WAMessage, WAMessageKey } from "baileys";
import { wordsOf } from "../../core/error.js";
import { pauseBefore } from "../pauses.js";
import type { Inbound } from "../types.js";
import { albumIdOf, albumOf } from "./album.js";
import type { Identities } from "./identities.js";
import { bareJid } from "./jid.js";
import { checkNative, type Known, type Me, normalise, senderIn } from "./normalise.js";
import type { RecentMessages } from "./recent-messages.js";
import type { WhatsAppMessage } from "./wire.js";

/** Of so many messages it is remembered that nobody has answered them yet. */
const MOST_UNREAD = 500;

export interface IntakeOptions {
  recent: RecentMessages;
  identities: Identities;
  receive(inbound: Inbound): Promise<void>;
  onUnread(why: string): void;
  /** It cannot be stored, and is tried again after the pause. */
  onTrouble(why: string, pauseMs: number): void;
  /** It could be stored after all. */
  onRelief(): void;
}

/** Hands on what is said, one message after the other, in the order in which they came. */
export class Intake {
  readonly #options: IntakeOptions;
  /** By id: where it was said, and how WhatsApp calls it. */
  readonly #unread = new Map<string, { chat: string; key: WAMessageKey }>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** What was said in a chat since this was asked last. */
  drainUnread(chat: string): WAMessageKey[] {
    const unread = [...this.#unread].filter(([, message]) => message.chat === chat);
    for (const [id] of unread) this.#unread.delete(id);
    return unread.map(([, { key }]) => key);
  }

  /** Fulfilled when it is stored, or there is nothing to store. Rejected only by the signal. */
  accept(message: WAMessage, me: Me, signal: AbortSignal): Promise<void> {
    this.#options.recent.add(message);
    const said = checkNative("WhatsAppMessage", plain(message));
    if ("misfit" in said) {
      this.#options.onUnread(said.misfit);
      return Promise.resolve();
    }
    const taken = this.#last.then(() => this.#store(said.value, message.key, me, signal));
    this.#last = taken.catch(() => undefined);
    return taken;
  }

  /** Fulfilled when nothing is left to be stored. */
  async flush(): Promise<void> {
    await this.#last;
  }

  /** What is known of a message that others say something, and not us. */
  async #lookUp(said: WhatsAppMessage, me: Me): Promise<Known> {
    const { identities, recent } = this.#options;
    if ("why" in normalise(said, me)) return {};
    const { ids, isDirect } = senderIn(said);
    const album = albumIdOf(said.message);
    const announced = album === undefined ? undefined : await recent.find(album, "theirs");
    const isTheirs = announced !== undefined && isSameSender(announced.key, said.key);
    return {
      ids: await identities.idsOf(ids, isDirect),
      album: isTheirs ? albumOf(plain(announced.message)) : undefined,
    };
  }

  #noteUnread({ id, place: { chat } }: Inbound, key: WAMessageKey): void {
    this.#unread.set(id, { chat, key });
    const [oldest] = this.#unread.keys();
    if (this.#unread.size > MOST_UNREAD && oldest !== undefined) this.#unread.delete(oldest);
  }

  /** Tries until it works: WhatsApp does not deliver again to a device that is still connected. */
  async #store(said: WhatsAppMessage, key: WAMessageKey, me: Me, signal: AbortSignal): Promise<void> {
    const { receive, onTrouble, onRelief } = this.#options;
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        const inbound = normalise(said, me, await this.#lookUp(said, me));
        if ("why" in inbound) return;
        this.#noteUnread(inbound, key);
        await receive(inbound);
        if (attempt > 0) onRelief();
        return;
      } catch (error) {
        const pauseMs = pauseBefore(attempt);
        onTrouble(`what was received cannot be stored: ${wordsOf(error)}`, pauseMs);
        await pause(pauseMs, undefined, { signal });
      }
    }
  }
}

type SenderKey = Pick<WhatsAppMessage["key"], "participant"> & { remoteJid?: string | null };

function isSameSender(one: SenderKey, other: SenderKey): boolean {
  const [a, b] = [one, other].map(({ remoteJid, participant }) =>
    [remoteJid, participant].map((jid) => bareJid(jid ?? "")).join(" "),
  );
  return a === b;
}

/** Messages are objects of classes, which know how to be JSON: bytes in base64, 64-bit integers in digits. */
function plain(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message ?? null));
}
