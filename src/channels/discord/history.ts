import type { REST } from "@discordjs/rest";
import { within } from "../../core/async/deadline.js";
import { isObject } from "../../core/json/value.js";
import { statusOf } from "./failure.js";
import { isLater } from "./memory.js";
import { type Where, whereOf } from "./where.js";

/** Discord's page size limit. */
export const PAGE = 100;

/** Concurrent requests. Each may wait for its rate limit. */
const MOST_REQUESTS = 10;

/** Includes the wait for the rate limit. */
const TIMEOUT_MS = 120_000;

/** A message as listed by REST. Of its location it has only the channel. */
export interface Listed extends Record<string, unknown> {
  id: string;
}

export interface DirectChannel {
  id: string;
  /** Its last message. */
  newest?: string;
}

/** Reads channels, messages and roles from Discord's REST API. */
export class History {
  readonly #rest: REST;
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #free = MOST_REQUESTS;

  constructor(rest: REST, signal: AbortSignal) {
    this.#rest = rest;
    this.#signal = signal;
  }

  /** The first messages after one, oldest first. Undefined if the bot cannot read the channel. */
  async page(channel: string, after: string): Promise<Listed[] | undefined> {
    const query = new URLSearchParams({ after, limit: String(PAGE) });
    const found = await this.#get(`/channels/${channel}/messages`, query);
    if (found === undefined) return undefined;
    if (!Array.isArray(found)) throw new Error("unexpected reply from Discord: no messages");
    return found.filter(isListed).sort((a, b) => (isLater(a.id, b.id) ? 1 : -1));
  }

  /** A channel's location. Undefined if the bot cannot read the channel. */
  async where(channel: string): Promise<Where | undefined> {
    return whereOf(await this.#get(`/channels/${channel}`));
  }

  /** A server's roles; empty if the bot cannot read the server. */
  async roles(server: string): Promise<unknown[]> {
    const found = (await this.#get(`/guilds/${server}/roles`)) ?? [];
    if (!Array.isArray(found)) throw new Error("unexpected reply from Discord: no roles");
    return found;
  }

  /** The direct channel with a person. */
  async direct(person: string): Promise<DirectChannel> {
    this.#signal.throwIfAborted();
    const channel = await within(this.#signal, TIMEOUT_MS, (signal) =>
      this.#rest.post("/users/@me/channels", { body: { recipient_id: person }, signal }),
    );
    if (!isListed(channel)) throw new Error("unexpected reply from Discord: no channel");
    const { id, last_message_id: newest } = channel;
    return { id, ...(typeof newest === "string" && { newest }) };
  }

  async #get(path: `/${string}`, query?: URLSearchParams): Promise<unknown> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      this.#signal.throwIfAborted();
      return await within(this.#signal, TIMEOUT_MS, (signal) =>
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
