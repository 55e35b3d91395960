import type { REST } from "@discordjs/rest";
import { within } from "../../core/async/deadline.js";
import { isObject } from "../../core/json/value.js";
import { statusOf } from "./failure.js";
import { isLater } from "./memory.js";
import { type Where, whereOf } from "./where.js";

/** The most messages that Discord lists at once. */
export const PAGE = 100;

/** Requests at the same time. Each may have to wait for its rate limit. */
const MOST_REQUESTS = 10;

/** With the time that it waits for its rate limit. */
const PATIENCE_MS = 120_000;

/** A message as Discord lists it. Of where it was said it has only the channel. */
export interface Listed extends Record<string, unknown> {
  id: string;
}

export interface DirectChannel {
  id: string;
  /** Its last message. */
  newest?: string;
}

/** What Discord can be asked about channels. */
export class History {
  readonly #rest: REST;
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #free = MOST_REQUESTS;

  constructor(rest: REST, signal: AbortSignal) {
    this.#rest = rest;
    this.#signal = signal;
  }

  /** The first messages after one, oldest first. Undefined when the channel is gone, or not ours to read. */
  async page(channel: string, after: string): Promise<Listed[] | undefined> {
    const query = new URLSearchParams({ after, limit: String(PAGE) });
    const found = await this.#get(`/channels/${channel}/messages`, query);
    if (found === undefined) return undefined;
    if (!Array.isArray(found)) throw new Error("Discord does not list messages");
    return found.filter(isListed).sort((a, b) => (isLater(a.id, b.id) ? 1 : -1));
  }

  /** Where a channel is. Undefined when it is gone, or not ours to read. */
  async where(channel: string): Promise<Where | undefined> {
    return whereOf(await this.#get(`/channels/${channel}`));
  }

  /** The roles of a server; none when it is gone, or not ours to read. */
  async roles(server: string): Promise<unknown[]> {
    const found = (await this.#get(`/guilds/${server}/roles`)) ?? [];
    if (!Array.isArray(found)) throw new Error("Discord does not list roles");
    return found;
  }

  /** The direct channel with a person. */
  async direct(person: string): Promise<DirectChannel> {
    this.#signal.throwIfAborted();
    const channel = await within(this.#signal, PATIENCE_MS, (signal) =>
      this.#rest.post("/users/@me/channels", { body: { recipient_id: person }, signal }),
    );
    if (!isListed(channel)) throw new Error("Discord does not name the channel");
    const { id, last_message_id: newest } = channel;
    return { id, ...(typeof newest === "string" && { newest }) };
  }

  async #get(path: `/${string}`, query?: URLSearchParams): Promise<unknown> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      this.#signal.throwIfAborted();
      return await within(this.#signal, PATIENCE_MS, (signal) =>
        this.#rest.get(path, { signal, ...(query !== undefined && { query }) }),
      );
    } catch (error) {
      const status = statusOf(error);
      if (status === 403 || status === 404) return undefined;
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

function isListed(value: unknown): value is Listed {
  return isObject(value) && typeof value["id"] === "string";
}
