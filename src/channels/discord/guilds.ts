import { isObject } from "../../core/json/value.js";
import type { Me } from "./normalise.js";
import { type Where, whereOf } from "./where.js";

/** A server's channel or thread, from a gateway event. */
export interface ListedChannel {
  channel: string;
  where: Where;
  /** Its last message at that time. */
  newest: string;
}

/** The bot and its servers, collected from gateway events. */
export class Guilds implements Me {
  id = "";
  name: string | undefined;
  /** The user name, if the display name differs. */
  otherNames: readonly string[] = [];
  readonly roles = new Set<string>();
  /** By channel or thread id. */
  readonly locations = new Map<string, Where>();
  /** Servers named in READY whose GUILD_CREATE has not arrived. */
  readonly #awaited = new Set<string>();

  /** Whether the bot's role in this server is known, if it has one there. */
  isLoaded(server: string): boolean {
    return !this.#awaited.has(server);
  }

  /** Accepts a server's roles. */
  acceptRoles(server: string, roles: readonly unknown[]): void {
    this.#awaited.delete(server);
    for (const role of roles) this.#addRole(role);
  }

  /** Accepts an event and returns the channels it lists. */
  accept(event: string, data: unknown): ListedChannel[] {
    if (!isObject(data)) return [];
    const { id, guild_id: server } = data;
    switch (event) {
      case "READY":
        this.#reset(data);
        return [];
      case "GUILD_CREATE":
        // An unavailable server comes with only its id, and again later.
        if (typeof id !== "string" || data["unavailable"] === true) return [];
        this.acceptRoles(id, listOf(data["roles"]));
        return this.#addChannels([...listOf(data["channels"]), ...listOf(data["threads"])], id);
      case "GUILD_ROLE_CREATE":
      case "GUILD_ROLE_UPDATE":
        this.#addRole(data["role"]);
        return [];
      case "CHANNEL_CREATE":
      case "THREAD_CREATE":
      case "THREAD_UPDATE":
        return this.#addChannels([data], server);
      case "THREAD_LIST_SYNC":
        return this.#addChannels(listOf(data["threads"]), server);
      default:
        return [];
    }
  }

  #reset({ user, guilds }: Record<string, unknown>): void {
    this.#awaited.clear();
    for (const guild of listOf(guilds)) {
      if (isObject(guild) && typeof guild["id"] === "string") this.#awaited.add(guild["id"]);
    }
    if (!isObject(user) || typeof user["id"] !== "string") return;
    this.id = user["id"];
    const { global_name: shown, username } = user;
    // Mentions show the display name.
    if (typeof username !== "string") return;
    this.name = typeof shown === "string" ? shown : username;
    this.otherNames = this.name === username ? [] : [username];
  }

  /** A bot has its own role in each server; the role's tags name the bot. */
  #addRole(role: unknown): void {
    if (!isObject(role) || typeof role["id"] !== "string" || !isObject(role["tags"])) return;
    if (role["tags"]["bot_id"] === this.id) this.roles.add(role["id"]);
  }

  #addChannels(channels: readonly unknown[], server: unknown): ListedChannel[] {
    return channels.flatMap((channel) => {
      const where = whereOf(channel, server);
      if (!isObject(channel) || typeof channel["id"] !== "string" || where?.kind !== "server") return [];
      this.locations.set(channel["id"], where);
      // Ids grow with time, so an empty channel starts at its own id.
      const { id, last_message_id: last } = channel;
      return [{ channel: id, where, newest: typeof last === "string" ? last : id }];
    });
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
