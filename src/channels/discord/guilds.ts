import { isObject } from "../../core/json/value.js";
import type { Known } from "./normalise.js";

/** What the gateway tells of the bot and its servers, gathered from its events. */
export class Guilds implements Known {
  id = "";
  name: string | undefined;
  readonly roles = new Set<string>();
  readonly threads = new Map<string, string>();
  /** The server that each channel and thread is in. */
  readonly servers = new Map<string, string>();
  /** The last message of each channel of a server, as it was when the server was told of. */
  readonly newest = new Map<string, string>();

  take(event: string, data: unknown): void {
    if (!isObject(data)) return;
    switch (event) {
      case "READY":
        this.#ready(data["user"]);
        break;
      case "GUILD_CREATE":
        for (const role of listOf(data["roles"])) this.#role(role);
        for (const channel of listOf(data["channels"])) this.#channel(channel, data["id"]);
        for (const thread of listOf(data["threads"])) this.#thread(thread, data["id"]);
        break;
      case "GUILD_ROLE_CREATE":
      case "GUILD_ROLE_UPDATE":
        this.#role(data["role"]);
        break;
      case "CHANNEL_CREATE":
        this.#channel(data, data["guild_id"]);
        break;
      case "THREAD_CREATE":
      case "THREAD_UPDATE":
        this.#thread(data, data["guild_id"]);
        break;
      case "THREAD_LIST_SYNC":
        for (const thread of listOf(data["threads"])) this.#thread(thread, data["guild_id"]);
        break;
    }
  }

  #ready(user: unknown): void {
    if (!isObject(user) || typeof user["id"] !== "string") return;
    this.id = user["id"];
    if (typeof user["username"] === "string") this.name = user["username"];
  }

  /** A bot has a role of its own in each server, which its tags name. */
  #role(role: unknown): void {
    if (!isObject(role) || typeof role["id"] !== "string" || !isObject(role["tags"])) return;
    if (role["tags"]["bot_id"] === this.id) this.roles.add(role["id"]);
  }

  #channel(channel: unknown, guild: unknown): void {
    if (!isObject(channel) || typeof channel["id"] !== "string" || typeof guild !== "string") return;
    this.servers.set(channel["id"], guild);
    // A channel without messages begins with its own id: they grow with time.
    const newest = channel["last_message_id"] ?? channel["id"];
    if (typeof newest === "string") this.newest.set(channel["id"], newest);
  }

  #thread(thread: unknown, guild: unknown): void {
    this.#channel(thread, guild);
    if (!isObject(thread) || typeof thread["id"] !== "string") return;
    if (typeof thread["parent_id"] === "string") this.threads.set(thread["id"], thread["parent_id"]);
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
