import type { TelegramEntity } from "../telegram-html.js";
import type { Button } from "./buttons.js";
import { Refused, refuseIf } from "./refusal.js";

export interface Chat {
  id: number;
  type: "private" | "group" | "supergroup" | "channel";
  title?: string;
  is_forum?: boolean;
  /** The numbers of its topics, without the general one. */
  topics?: readonly number[];
  /** Somebody does not want to hear from the bot. */
  blocked?: boolean;
  /** The group has grown, and is this chat from now on. */
  movedTo?: number;
}

/** A message as somebody in the chat sees it. */
export interface Seen {
  id: number;
  by: "bot" | "people";
  text: string;
  entities: TelegramEntity[];
  thread?: number;
  replyTo?: number;
  file?: { kind: string; name: string; bytes?: number };
  /** Messages with the same one are shown as one. */
  album?: string;
  hasPreview?: boolean;
  /** Below the message. */
  buttons?: Button[] | undefined;
  /** The texts it had before. */
  before: string[];
}

/** The chats that the bot knows, and what is to be seen in them. */
export class Chats {
  readonly #chats = new Map<string, Chat>();
  readonly #seen = new Map<string, Seen[]>();
  readonly #watchers = new Set<() => void>();
  /** So many messages and edits in a minute, in each group. */
  groupLimit = 20;
  /** How many were too many. */
  tooMany = 0;
  readonly #taken = new Map<number, number[]>();
  /** Counted over all chats, so that tests notice what goes to the wrong one. */
  #next = 100;

  add(chat: Chat): void {
    this.#chats.set(String(chat.id), chat);
  }

  /** The chat to write to; every reason not to is a refusal. */
  target(id: unknown, thread?: unknown): Chat {
    refuseIf(id === undefined || id === "", "Bad Request: chat_id is empty");
    const chat = this.#chats.get(String(id));
    if (chat === undefined) throw new Refused("Bad Request: chat not found");
    refuseIf(chat.blocked === true, "Forbidden: bot was blocked by the user", 403);
    if (chat.movedTo !== undefined) {
      const parameters = { migrate_to_chat_id: chat.movedTo };
      throw new Refused("Bad Request: group chat was upgraded to a supergroup chat", 400, parameters);
    }
    const hasThread = thread === undefined || chat.topics?.includes(Number(thread)) === true;
    refuseIf(!hasThread, "Bad Request: message thread not found");
    return chat;
  }

  /** Counts a message, or an edit of one: groups take only so many. */
  count({ id, type }: Chat): void {
    if (type === "private") return;
    const now = performance.now();
    const recent = (this.#taken.get(id) ?? []).filter((at) => now - at < 60_000);
    if (recent.length >= this.groupLimit) {
      this.tooMany++;
      // The service names the rest of the minute, for which tests do not want to wait.
      throw new Refused("Too Many Requests: retry after 1", 429, { retry_after: 1 });
    }
    this.#taken.set(id, [...recent, now]);
  }

  newId(): number {
    return this.#next++;
  }

  show(chat: number, seen: Omit<Seen, "id" | "before">): Seen {
    const message = { ...seen, id: this.newId(), before: [] };
    this.#of(chat).push(message);
    this.changed();
    return message;
  }

  /** All of a chat's messages, oldest first. */
  seen(chat: number): readonly Seen[] {
    return this.#of(chat);
  }

  find(chat: number, id: unknown): Seen | undefined {
    return this.#of(chat).find((message) => message.id === Number(id));
  }

  changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Fulfilled when it holds, which is looked at whenever something has changed. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  #of(chat: number): Seen[] {
    const known = this.#seen.get(String(chat)) ?? [];
    this.#seen.set(String(chat), known);
    return known;
  }
}
