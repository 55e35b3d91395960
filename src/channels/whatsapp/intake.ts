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

/** Unanswered messages to remember. */
const MOST_UNREAD = 500;

export interface IntakeOptions {
  recent: RecentMessages;
  identities: Identities;
  receive(inbound: Inbound): Promise<void>;
  onUnread(why: string): void;
  /** A message could not be stored; retried after the pause. */
  onTrouble(why: string, pauseMs: number): void;
  /** Storing works again. */
  onRelief(): void;
}

/** Receives messages one at a time, in order of arrival. */
export class Intake {
  readonly #options: IntakeOptions;
  /** By message id. */
  readonly #unread = new Map<string, { chat: string; key: WAMessageKey }>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Returns a chat's unread messages and forgets them. */
  drainUnread(chat: string): WAMessageKey[] {
    const unread = [...this.#unread].filter(([, message]) => message.chat === chat);
    for (const [id] of unread) this.#unread.delete(id);
    return unread.map(([, { key }]) => key);
  }

  /** Resolves when the message is stored, or needs no storing. Rejects only when aborted. */
  accept(message: WAMessage, me: Me, signal: AbortSignal): Promise<void> {
    this.#options.recent.add(message);
    const checked = checkNative("WhatsAppMessage", plain(message));
    if ("misfit" in checked) {
      this.#options.onUnread(checked.misfit);
      return Promise.resolve();
    }
    const stored = this.#last.then(() => this.#store(checked.value, message.key, me, signal));
    this.#last = stored.catch(() => undefined);
    return stored;
  }

  /** Resolves when nothing is left to store. */
  async flush(): Promise<void> {
    await this.#last;
  }

  /** Looks up the sender's ids and the album of a message from someone else. */
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

  /** Retries until it works: WhatsApp does not redeliver to a connected device. */
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
        onTrouble(`could not store a message: ${wordsOf(error)}`, pauseMs);
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

/** Converts class instances to plain JSON: bytes to base64, 64-bit integers to digits. */
function plain(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message ?? null));
}
