import { setTimeout as pause } from "node:timers/promises";
import type { WAMessage, WAMessageKey, WASocket } from "baileys";
import { wordsOf } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import type { ChannelState, Inbound } from "../types.js";
import type { Auth } from "./auth.js";
import { type Baileys, silent } from "./client.js";
import { type Ending, endingOf } from "./ending.js";
import { Gate } from "./gate.js";
import { hushed } from "./hush.js";
import { bareJid } from "./jid.js";
import { normalise } from "./normalise.js";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const GOODBYE_MS = 2000;
/** So many messages are remembered, for answers that quote them, and for phones that could not read ours and ask again. */
const MOST_REMEMBERED = 500;

export interface LineOptions {
  baileys: Baileys;
  auth: Auth;
  socketUrl: string | undefined;
  /** Is asked to link the device with a code to type. */
  phone: string | undefined;
  receive(inbound: Inbound): Promise<void>;
  onState(state: ChannelState): void;
  now(): number;
}

export interface Connection {
  socket: WASocket;
  /** Aborted when it is over. */
  over: AbortSignal;
}

/** The connection of one device, made again whenever it is lost. */
export class Line {
  readonly #options: LineOptions;
  readonly #closing = new AbortController();
  readonly #recent = new Map<string, WAMessage>();
  /** By id: where it was said, and how WhatsApp calls it. */
  readonly #unread = new Map<string, { chat: string; key: WAMessageKey }>();
  #open: Connection | undefined;
  #taking: Promise<void> = Promise.resolve();
  #done: Promise<void>;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#done = this.#stay();
  }

  /** While it is open. */
  get connection(): Connection | undefined {
    return this.#open;
  }

  recent(id: string): WAMessage | undefined {
    return this.#recent.get(id);
  }

  /** What was said in a chat since this was asked last. */
  takeUnread(chat: string): WAMessageKey[] {
    const unread = [...this.#unread].filter(([, message]) => message.chat === chat);
    for (const [id] of unread) this.#unread.delete(id);
    return unread.map(([, { key }]) => key);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
    await this.#taking;
  }

  async #stay(): Promise<void> {
    const { signal } = this.#closing;
    for (let attempt = 0; !signal.aborted; attempt++) {
      this.#tell({ state: "connecting" });
      const onOpen = () => {
        attempt = 0;
      };
      const { state, atOnce } = await this.#once(onOpen).catch(endingOf);
      if (state.state === "waiting" && !atOnce)
        await this.#wait(state.why, attempt, signal).catch(() => undefined);
      else if (state.state === "stopped") return this.#tell(state);
    }
  }

  /** One connection. Fulfilled with why it is over. */
  async #once(onOpen: () => void): Promise<Ending> {
    const { baileys, auth, socketUrl } = this.#options;
    const { creds } = auth.state;
    const over = new AbortController();
    /** What came through the gate comes once more. */
    const stored = new Set<string>();
    const gate = new Gate(baileys, creds, async (message) => {
      await this.#take(message, over.signal);
      stored.add(keyOf(message));
    });
    // A code was asked for and never typed: to begin again, the device must not know who it is.
    if (creds.pairingCode !== undefined && !creds.registered) delete creds.me;
    const socket = baileys.makeWASocket({
      auth: auth.state,
      logger: silent,
      markOnlineOnConnect: false,
      // With the recent ones, messages are held back for 20 seconds after linking; without any, ids of people are missing.
      shouldSyncHistoryMessage: ({ syncType }) => !oldMessages(baileys).includes(Number(syncType)),
      syncFullHistory: false,
      ...(socketUrl !== undefined && { waWebSocketUrl: socketUrl }),
      getMessage: async ({ id }) => this.#recent.get(id ?? "")?.message ?? undefined,
      makeSignalRepository: (...parts) => hushed(gate.makeSignalRepository(...parts)),
    });
    socket.ws.prependListener("CB:message", (node) => gate.see(node));
    // `append` is what came while nobody was there, and what we have said.
    socket.ev.on("messages.upsert", ({ messages }) => {
      for (const message of messages) {
        if (stored.delete(keyOf(message))) continue;
        // Rejected only when the channel closes.
        this.#take(message, this.#closing.signal).catch(() => undefined);
      }
    });
    try {
      return await this.#ending({ socket, over: over.signal }, onOpen);
    } finally {
      this.#open = undefined;
      await hangUp(socket);
      over.abort();
      await auth.save();
    }
  }

  #ending(connection: Connection, onOpen: () => void): Promise<Ending> {
    const { auth, phone } = this.#options;
    const { signal } = this.#closing;
    const { ev, requestPairingCode } = connection.socket;
    let asked = false;
    return new Promise<Ending>((end) => {
      const fail = (error: unknown) => end(endingOf(error));
      if (signal.aborted) fail(signal.reason);
      signal.addEventListener("abort", () => fail(signal.reason), { once: true });
      ev.on("creds.update", () => void auth.save().catch(fail));
      ev.on("connection.update", ({ connection: change, lastDisconnect, qr }) => {
        if (qr !== undefined && phone === undefined) this.#tell({ state: "pairing", code: qr });
        if (qr !== undefined && phone !== undefined && !asked) {
          asked = true;
          requestPairingCode(phone).then((code) => this.#tell({ state: "pairing", code }), fail);
        }
        if (change === "open") {
          this.#open = connection;
          onOpen();
          this.#tell(this.#connected());
        }
        if (change === "close") fail(lastDisconnect?.error);
      });
    });
  }

  /** One after the other, in the order in which they came. */
  #take(message: WAMessage, signal: AbortSignal): Promise<void> {
    const { key } = message;
    if (typeof key.id === "string") remember(this.#recent, key.id, message);
    const { me } = this.#options.auth.state.creds;
    const inbound = normalise(plain(message), {
      id: me?.id ?? "",
      ...(me?.lid !== undefined && { lid: me.lid }),
    });
    if (inbound === undefined) return Promise.resolve();
    remember(this.#unread, inbound.id, { chat: inbound.place.chat, key });
    const taken = this.#taking.then(() => this.#store(inbound, signal));
    this.#taking = taken.catch(() => undefined);
    return taken;
  }

  /** Tries until it works: WhatsApp does not deliver again to a device that is still connected. */
  async #store(inbound: Inbound, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        await this.#options.receive(inbound);
        if (attempt > 0 && this.#open !== undefined) this.#tell(this.#connected());
        return;
      } catch (error) {
        await this.#wait(`what was received cannot be stored: ${wordsOf(error)}`, attempt, signal);
      }
    }
  }

  async #wait(why: string, attempt: number, signal: AbortSignal): Promise<void> {
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
    this.#tell({ state: "waiting", why, untilMs: this.#options.now() + pauseMs });
    await pause(pauseMs, undefined, { signal });
  }

  #connected(): ChannelState {
    const { me } = this.#options.auth.state.creds;
    const id = bareJid(me?.id ?? "") ?? "";
    return { state: "connected", me: { id, ...(me?.name !== undefined && { name: me.name }) } };
  }

  #tell(state: ChannelState): void {
    if (!this.#closing.signal.aborted) this.#options.onState(state);
  }
}

/** Says goodbye, and does not wait long for the other side to do so, too. */
async function hangUp({ ws, end }: WASocket): Promise<void> {
  // The socket's own socket, which Baileys does not offer, waits for half a minute.
  const inner: unknown = Reflect.get(ws, "socket");
  const grace = setTimeout(() => {
    if (isObject(inner) && typeof inner["terminate"] === "function") inner["terminate"]();
  }, GOODBYE_MS);
  await end(undefined);
  clearTimeout(grace);
  // Questions that were asked would wait for their answers for a minute.
  ws.emit("error", Object.assign(new Error("Connection Closed"), { output: { statusCode: 428 } }));
}

function oldMessages({ proto }: Baileys): number[] {
  const { RECENT, FULL, ON_DEMAND } = proto.HistorySync.HistorySyncType;
  return [RECENT, FULL, ON_DEMAND];
}

function remember<T>(memory: Map<string, T>, id: string, value: T): void {
  memory.set(id, value);
  const [oldest] = memory.keys();
  if (memory.size > MOST_REMEMBERED && oldest !== undefined) memory.delete(oldest);
}

function keyOf({ key }: WAMessage): string {
  return `${key.remoteJid} ${key.id}`;
}

/** Messages are objects of classes, which know how to be JSON: bytes in base64, 64-bit integers in digits. */
function plain(message: WAMessage): unknown {
  return JSON.parse(JSON.stringify(message));
}
