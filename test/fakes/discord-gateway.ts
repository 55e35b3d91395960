import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { newId } from "../../src/core/ids.js";
import { isObject } from "../../src/core/json/value.js";
import { componentProblem, DiscordInteractions } from "./discord-interactions.js";

const BOT = { id: "555", username: "bot", bot: true };
const TOKEN = "fake.discord.token";

/** A message without what depends on where it is listed. */
export interface FakeMessage {
  id: string;
  channel_id: string;
  content: string;
  author?: object;
  edited_timestamp?: string | null;
  mentions?: object[];
  mention_roles?: string[];
}

export interface FakeChannel {
  id: string;
  type: number;
  guild_id?: string;
  parent_id?: string;
}

/** The limit of each channel's history, as real headers tell it. */
export interface RateLimit {
  requests: number;
  perMs: number;
}

/**
 * Discord's gateway and the parts of REST that belong to it, as documented, with nothing that happens by itself: READY, servers,
 * live messages and the answers to questions come when the test says so, in its order.
 */
export async function startDiscordGateway(options: { limit?: RateLimit } = {}) {
  const { limit } = options;
  const channels = new Map<string, FakeChannel>();
  const messages = new Map<string, FakeMessage[]>();
  /** Requests in their order: `GET /channels/1/messages?after=5&limit=100`. */
  const requests: string[] = [];
  /** What the bot has sent, and where. */
  const posted: { channel: string; body: Record<string, unknown> }[] = [];
  const buckets = new Map<string, { left: number; until: number }>();
  const faults: number[] = [];
  const openFaults: number[] = [];
  const placeFaults: number[] = [];
  /** Direct channels by person. */
  const people = new Map<string, string>();
  const watchers = new Set<() => void>();
  const interactions = new DiscordInteractions();
  const held: (() => void)[] = [];
  const session = newId();
  let username = BOT.username;
  let globalName: string | undefined;
  let isHolding = false;
  let identifies = 0;
  let refused = 0;
  let sequence = 0;
  let socket: WebSocket | undefined;

  const changed = () => {
    for (const watcher of [...watchers]) watcher();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server, path: "/" });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = isObject(address) ? address["port"] : undefined;

  sockets.on("connection", (client) => {
    client.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
    client.on("message", (data) => {
      const { op, d } = JSON.parse(String(data));
      if (op === 1) client.send(JSON.stringify({ op: 11 }));
      if (op !== 2 && op !== 6) return;
      if (d.token !== TOKEN) return client.close(4004);
      if (op === 6 && d.session_id !== session) return client.send(JSON.stringify({ op: 9, d: false }));
      socket = client;
      if (op === 2) identifies++;
      else client.send(JSON.stringify({ op: 0, t: "RESUMED", s: ++sequence, d: {} }));
      changed();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://discord.invalid");
    const path = url.pathname.replace("/api/v10", "");
    const [, interaction, token = ""] = /^\/interactions\/(\d+)\/([^/]+)\/callback$/.exec(path) ?? [];
    // Its token is proof enough.
    if (request.method === "POST" && interaction !== undefined) {
      const { status, json: problem } = interactions.answer(interaction, token, await jsonOf(request));
      if (problem === undefined) response.writeHead(status).end();
      else json(response, status, problem);
      return changed();
    }
    if (request.headers.authorization !== `Bot ${TOKEN}`) return json(response, 401, { message: "401" });
    if (path === "/gateway/bot") {
      const starts = { total: 1000, remaining: 1000 - identifies, reset_after: 1000, max_concurrency: 1 };
      return json(response, 200, {
        url: `ws://127.0.0.1:${port}`,
        shards: 1,
        session_start_limit: starts,
      });
    }
    requests.push(`${request.method} ${path}${url.search}`);
    changed();
    if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
    if (path.endsWith("/typing")) return void response.writeHead(204).end();
    const [, id = "", isList] = /^\/channels\/(\d+)(\/messages)?$/.exec(path) ?? [];
    const channel = channels.get(id);
    if (request.method === "POST" && path === "/users/@me/channels")
      return direct(await jsonOf(request), response);
    if (request.method === "POST") return post(id, await jsonOf(request), response);
    const [, edited] = /^\/channels\/\d+\/messages\/(\d+)$/.exec(path) ?? [];
    if (request.method === "PATCH" && edited !== undefined)
      return patch(edited, await jsonOf(request), response);
    if (request.method !== "GET" || channel === undefined) return json(response, 404, { code: 10003 });
    const placeFault = isList === undefined ? placeFaults.shift() : undefined;
    if (placeFault !== undefined) return json(response, placeFault, { message: "no", code: 0 });
    if (isList === undefined) return json(response, 200, channel);
    const headers = spend(id);
    if (headers["retry-after"] !== undefined) {
      refused++;
      return json(response, 429, { message: "You are being rate limited.", retry_after: 1 }, headers);
    }
    const fault = faults.shift();
    if (fault !== undefined) return json(response, fault, { message: "no", code: 0 }, headers);
    const after = BigInt(url.searchParams.get("after") ?? "0");
    const most = Number(url.searchParams.get("limit") ?? "50");
    if (most < 1 || most > 100) return json(response, 400, { code: 50035 });
    const found = (messages.get(id) ?? []).filter((message) => BigInt(message.id) > after).slice(0, most);
    // The oldest of those after it, the newest of them first, and no word about their server.
    json(response, 200, found.map(listed).reverse(), headers);
  }

  /** Opens a direct channel, or finds the one that there is. Bots are told of them in no other way. */
  function direct({ recipient_id: person }: Record<string, unknown>, response: ServerResponse): void {
    const fault = openFaults.shift();
    const id = typeof person === "string" ? people.get(person) : undefined;
    if (fault !== undefined) json(response, fault, { message: "no", code: 0 });
    else if (id === undefined) json(response, 400, { message: "Invalid Recipient(s)", code: 50033 });
    else {
      channels.set(id, channelOf(id));
      const last_message_id = messages.get(id)?.at(-1)?.id ?? null;
      json(response, 200, { ...channelOf(id), last_message_id, recipients: [{ id: person }] });
    }
  }

  function post(channel: string, body: Record<string, unknown>, response: ServerResponse): void {
    const id = String(900_000 + posted.length);
    const problem = componentProblem(body["components"]);
    if (problem !== undefined) {
      json(response, 400, { message: problem, code: 50035 });
      return;
    }
    posted.push({ channel, body });
    json(response, 200, { id, channel_id: channel });
    changed();
  }

  function patch(id: string, body: Record<string, unknown>, response: ServerResponse): void {
    const message = posted[Number(id) - 900_000];
    if (message === undefined) {
      json(response, 404, { message: "Unknown Message", code: 10008 });
      return;
    }
    Object.assign(message.body, body);
    json(response, 200, { id, channel_id: message.channel });
    changed();
  }

  function spend(channel: string): Record<string, string> {
    if (limit === undefined) return {};
    const now = Date.now();
    let bucket = buckets.get(channel);
    if (bucket === undefined || now >= bucket.until)
      bucket = { left: limit.requests, until: now + limit.perMs };
    buckets.set(channel, bucket);
    const seconds = String((bucket.until - now) / 1000);
    if (bucket.left === 0) return { "retry-after": seconds, "x-ratelimit-scope": "user" };
    bucket.left--;
    return {
      "x-ratelimit-limit": String(limit.requests),
      "x-ratelimit-remaining": String(bucket.left),
      "x-ratelimit-reset-after": seconds,
      "x-ratelimit-bucket": "history",
    };
  }

  function dispatch(event: string, data: object): void {
    socket?.send(JSON.stringify({ op: 0, t: event, s: ++sequence, d: data }));
  }

  function channelOf(id: string): FakeChannel {
    return channels.get(id) ?? { id, type: 1 };
  }

  /** Somebody writes it. Only those who listen at that moment are told. */
  function write(message: FakeMessage): void {
    const list = messages.get(message.channel_id) ?? [];
    messages.set(message.channel_id, [...list, message]);
  }

  const live = (message: FakeMessage) => {
    const { guild_id } = channelOf(message.channel_id);
    return { ...listed(message), ...(guild_id !== undefined && { guild_id }) };
  };

  return {
    settings: { token: TOKEN, apiRoot: `http://127.0.0.1:${port}/api` },
    requests,
    posted,
    identifies: () => identifies,
    /** Questions that came too early, and were answered with 429. */
    refused: () => refused,
    rename: (name: string, shown?: string) => {
      username = name;
      globalName = shown;
    },
    /** Somebody who has, or will have, this direct channel with the bot. */
    addPerson: (person: string, channel: string) => void people.set(person, channel),
    /** The next direct channel that is asked for is refused with this status. */
    failNextOpening: (status: number) => void openFaults.push(status),
    addChannel: (channel: FakeChannel) => void channels.set(channel.id, channel),
    write,
    /** Fulfilled as soon as it is so. */
    async until(isSo: () => boolean): Promise<void> {
      if (isSo()) return;
      await new Promise<void>((resolve) => {
        const look = () => {
          if (!isSo()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
      });
    },
    ready(guilds: readonly string[] = []): void {
      const unavailable = guilds.map((id) => ({ id, unavailable: true }));
      const resume = { session_id: session, resume_gateway_url: `ws://127.0.0.1:${port}` };
      const user = { ...BOT, username, global_name: globalName ?? null };
      dispatch("READY", { v: 10, user, guilds: unavailable, ...resume });
    },
    /** A server is told of, and that nothing can be told of it yet. */
    unavailable: (id: string) => dispatch("GUILD_CREATE", { id, unavailable: true }),
    /** A server becomes known, with a role that is the bot's. */
    guild(id: string): void {
      const own = [...channels.values()].filter(({ guild_id }) => guild_id === id);
      const shown = own.map(({ guild_id: _, ...channel }) => ({
        ...channel,
        last_message_id: messages.get(channel.id)?.at(-1)?.id ?? null,
      }));
      const isThread = ({ type }: { type: number }) => type >= 10 && type <= 12;
      dispatch("GUILD_CREATE", {
        id,
        roles: [{ id: `7${id}`, tags: { bot_id: BOT.id } }],
        channels: shown.filter((channel) => !isThread(channel)),
        threads: shown.filter(isThread),
      });
    },
    /** Somebody writes it while the gateway listens. */
    say(message: FakeMessage): void {
      write(message);
      dispatch("MESSAGE_CREATE", live(message));
    },
    interactions,
    /** A user presses a button with this label in a channel, on the bot's last message with buttons. */
    press(channel: string, label: string, user: object): void {
      const rows = posted.findLast((one) => one.channel === channel && hasButtons(one.body))?.body[
        "components"
      ];
      const buttons = (Array.isArray(rows) ? rows : []).flatMap((row) => Object(row).components);
      const button = buttons.find((one) => Object(one).label === label);
      if (button === undefined) throw new Error(`there is no button ${label}`);
      const { guild_id } = channelOf(channel);
      dispatch("INTERACTION_CREATE", {
        ...interactions.begin(),
        application_id: BOT.id,
        type: 3,
        version: 1,
        channel_id: channel,
        ...(guild_id === undefined ? { user } : { guild_id, member: { user, roles: [] } }),
        data: { component_type: 2, custom_id: button.custom_id },
      });
    },
    /** Somebody edits what they wrote, with or without the gateway being told. */
    edit(message: FakeMessage, isTold: boolean): void {
      const list = messages.get(message.channel_id) ?? [];
      messages.set(
        message.channel_id,
        list.map((one) => (one.id === message.id ? message : one)),
      );
      if (isTold) dispatch("MESSAGE_UPDATE", live(message));
    },
    /** From here on questions are not answered, until they are released. */
    hold(): void {
      isHolding = true;
    },
    release(): void {
      isHolding = false;
      for (const go of held.splice(0)) go();
    },
    /** The next channel object that is asked for fails with this status. */
    failNextPlace: (status: number) => void placeFaults.push(status),
    /** The next history that is asked for fails with this status. */
    failNext: (status: number) => void faults.push(status),
    /** The connection breaks; the client resumes it. */
    cut: () => socket?.terminate(),
    async stop(): Promise<void> {
      for (const client of sockets.clients) client.terminate();
      for (const go of held.splice(0)) go();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hasButtons({ components }: Record<string, unknown>): boolean {
  return Array.isArray(components) && components.length > 0;
}

function listed({ author, ...message }: FakeMessage) {
  return {
    type: 0,
    timestamp: "2026-01-01T00:00:00.000000+00:00",
    edited_timestamp: null,
    attachments: [],
    embeds: [],
    mentions: [],
    mention_roles: [],
    author: author ?? { id: "42", username: "ann", global_name: "Ann" },
    ...message,
  };
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request) text += part;
  const value: unknown = text === "" ? {} : JSON.parse(text);
  return isObject(value) ? value : {};
}

function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}
