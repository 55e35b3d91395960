import { setTimeout as pause } from "node:timers/promises";
import type { REST } from "@discordjs/rest";
import { wordsOf } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { misfit } from "../checks.js";
import { reasonOf } from "../network-failure.js";
import { growing } from "../pauses.js";
import type { ChannelState, Inbound } from "../types.js";
import type { Parts } from "./client.js";
import { badToken, endedBy, statusOf } from "./failure.js";
import { Guilds } from "./guilds.js";
import { idBefore, isLater, type Memory } from "./memory.js";
import { normalise } from "./normalise.js";

/** Servers, their messages, direct messages, and what is in them. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);

const PAGE = 100;
/** Of a channel that was not listened to for long, so much is asked for. */
const MOST_PAGES = 10;

export interface Receiving {
  sockets: Parts["WebSocketManager"];
  rest: REST;
  token: string;
  memory: Memory;
  receive(inbound: Inbound): Promise<void>;
  onState(state: ChannelState): void;
  onUnread(why: string): void;
  now(): number;
  signal: AbortSignal;
}

/** Receives until it is aborted, or of no use. */
export async function receiving(options: Receiving): Promise<void> {
  const { signal, onState, now } = options;
  for (let attempt = 0; !signal.aborted; attempt++) {
    onState({ state: "connecting" });
    const ended = await connection(options, () => {
      attempt = 0;
    });
    if (signal.aborted) return;
    onState(ended);
    if (ended.state === "stopped") return;
    const pauseMs = growing(attempt);
    onState({ state: "waiting", why: "why" in ended ? ended.why : "", untilMs: now() + pauseMs });
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** One connection, with all the times it is lost and taken up again by itself. Fulfilled with why it came to an end. */
async function connection(options: Receiving, onReady: () => void): Promise<ChannelState> {
  const { sockets, rest, token, signal, onState } = options;
  const manager = new sockets({ token, intents: INTENTS, rest, shardCount: 1 });
  const known = new Guilds();
  const inbox = new Intake(options, known);
  try {
    return await new Promise<ChannelState>((end) => {
      const fail = (error: unknown) => end({ state: "waiting", why: reasonOf(error) });
      signal.addEventListener("abort", () => end({ state: "connecting" }), { once: true });
      const connected = () => {
        onReady();
        onState({
          state: "connected",
          me: { id: known.id, ...(known.name !== undefined && { name: known.name }) },
        });
        inbox.catchUp().catch(fail);
      };
      manager.on("dispatch", ({ data: { t: event, d: data } }) => {
        known.take(event, data);
        if (event === "READY" || event === "RESUMED") connected();
        if (event === "GUILD_CREATE") inbox.catchUp().catch(fail);
        if (event === "MESSAGE_CREATE" || event === "MESSAGE_UPDATE") inbox.take(data, event).catch(fail);
      });
      manager.on("closed", ({ code }) => {
        const ended = endedBy(code);
        if (ended === undefined)
          onState({ state: "waiting", why: `Discord closed the connection (${code})` });
        else end(ended);
      });
      // What went wrong shows in `closed`, or in that it goes on.
      manager.on("error", () => undefined);
      manager.connect().catch((error: unknown) => {
        if (statusOf(error) === 401) end(badToken);
        else fail(error);
      });
    });
  } finally {
    await manager.destroy({ reason: "stopped" });
  }
}

/** Hands on what was said, live or while nobody listened, and remembers how far it came. */
class Intake {
  readonly #options: Receiving;
  readonly #known: Guilds;
  #catching: Promise<void> = Promise.resolve();

  constructor(options: Receiving, known: Guilds) {
    this.#options = options;
    this.#known = known;
  }

  async take(message: unknown, event = "MESSAGE_CREATE"): Promise<void> {
    const { receive, memory, onUnread } = this.#options;
    // A link that is shown with a picture "updates" its message too.
    const isEdit = isObject(message) && typeof message["edited_timestamp"] === "string";
    if (event === "MESSAGE_UPDATE" && !isEdit) return;
    const inbound = normalise(message, this.#known);
    const why = inbound === undefined ? misfit("DiscordMessage", message) : undefined;
    if (why !== undefined) onUnread(why);
    if (!isObject(message) || event === "MESSAGE_UPDATE") {
      if (inbound !== undefined) await receive(inbound);
      return;
    }
    const { channel_id: channel, id } = message;
    if (typeof channel !== "string" || typeof id !== "string") return;
    // The first message of a channel can be asked for again only if it is known where it begins.
    if (memory.last(channel) === undefined) {
      memory.note(channel, idBefore(id));
      await memory.save();
    }
    if (inbound !== undefined) await receive(inbound);
    memory.note(channel, id);
  }

  /** Asks for what was said since the last message that was received, in every channel where there is one. */
  catchUp(): Promise<void> {
    this.#catching = this.#catching.then(async () => {
      const { memory, signal } = this.#options;
      const { newest, servers } = this.#known;
      for (const [channel, id] of newest) if (memory.last(channel) === undefined) memory.note(channel, id);
      for (const channel of memory.channels) {
        if (signal.aborted) return;
        const last = memory.last(channel);
        const told = newest.get(channel);
        if (last === undefined || (told !== undefined && !isLater(told, last))) continue;
        newest.delete(channel);
        // What is in no server that was told of is a direct conversation, or a server that is yet to come.
        await this.#since(channel, last, servers.get(channel));
      }
    });
    return this.#catching;
  }

  async #since(channel: string, from: string, server: string | undefined): Promise<void> {
    let last = from;
    for (let page = 0; page < MOST_PAGES; page++) {
      const messages = await this.#page(channel, last);
      for (const message of messages) {
        const whole = server === undefined ? message : { ...message, guild_id: server };
        await this.take(whole);
        last = message.id;
      }
      if (messages.length < PAGE) return;
    }
  }

  async #page(channel: string, after: string): Promise<{ id: string }[]> {
    const { rest } = this.#options;
    try {
      const query = new URLSearchParams({ after, limit: String(PAGE) });
      const found = await rest.get(`/channels/${channel}/messages`, { query });
      const messages = Array.isArray(found) ? found.filter(hasId) : [];
      return messages.sort((a, b) => (isLater(a.id, b.id) ? 1 : -1));
    } catch (error) {
      const status = statusOf(error);
      // The channel is gone, or not ours to read any more.
      if (status === 403 || status === 404) return [];
      throw new Error(`what was said meanwhile cannot be read: ${wordsOf(error)}`);
    }
  }
}

function hasId(value: unknown): value is { id: string } {
  return isObject(value) && typeof value["id"] === "string";
}
