import { setTimeout as pause } from "node:timers/promises";
import type { WAMessage, WASocket } from "baileys";
import { isObject } from "../../core/json/value.js";
import type { ChannelState, Inbound } from "../types.js";
import type { Auth } from "./auth.js";
import { type Baileys, silent } from "./client.js";
import { type Ending, endingOf } from "./ending.js";
import { type Me, normalise } from "./normalise.js";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** So many messages are remembered, for answers that quote them. */
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

/** The connection of one device, made again whenever it is lost. */
export class Line {
  readonly #options: LineOptions;
  readonly #closing = new AbortController();
  readonly #recent = new Map<string, WAMessage>();
  #socket: WASocket | undefined;
  #done: Promise<void>;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#done = this.#stay();
  }

  /** The socket, while it is open. */
  get open(): WASocket | undefined {
    return this.#socket;
  }

  recent(id: string): WAMessage | undefined {
    return this.#recent.get(id);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #stay(): Promise<void> {
    const { onState, now } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 0; !signal.aborted; attempt++) {
      onState({ state: "connecting" });
      const { state, atOnce } = await this.#once(() => {
        attempt = 0;
      });
      this.#socket = undefined;
      if (signal.aborted) return;
      onState(state);
      if (state.state === "stopped") return;
      if (atOnce) continue;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
      if (state.state === "waiting") onState({ ...state, untilMs: now() + pauseMs });
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One connection. Fulfilled with why it is over. */
  async #once(onOpen: () => void): Promise<Ending> {
    const { baileys, auth, socketUrl, onState } = this.#options;
    const { signal } = this.#closing;
    const socket = baileys.makeWASocket({
      auth: auth.state,
      logger: silent,
      markOnlineOnConnect: false,
      syncFullHistory: false,
      shouldSyncHistoryMessage: () => false,
      ...(socketUrl !== undefined && { waWebSocketUrl: socketUrl }),
      getMessage: async ({ id }) => this.#recent.get(id ?? "")?.message ?? undefined,
    });
    let asked = false;
    const ending = new Promise<Ending>((end) => {
      const closed = () => end({ state: { state: "connecting" }, atOnce: false });
      if (signal.aborted) closed();
      signal.addEventListener("abort", closed, { once: true });
      const fail = (error: unknown) => end(endingOf(error));
      socket.ev.on("creds.update", () => void auth.save().catch(fail));
      socket.ev.on("connection.update", ({ connection, lastDisconnect, qr }) => {
        if (qr !== undefined) {
          if (this.#options.phone === undefined) onState({ state: "pairing", code: qr });
          else if (!asked) {
            asked = true;
            socket
              .requestPairingCode(this.#options.phone)
              .then((code) => onState({ state: "pairing", code }), fail);
          }
        }
        if (connection === "open") {
          this.#socket = socket;
          onOpen();
          onState({ state: "connected", me: personOf(socket) });
        }
        if (connection === "close") fail(lastDisconnect?.error);
      });
      // `append` is what came while nobody was there, and what we have said from elsewhere.
      socket.ev.on("messages.upsert", ({ messages }) => {
        for (const message of messages) this.#take(message, meOf(socket)).catch(fail);
      });
    });
    const why = await ending;
    socket.ev.removeAllListeners("connection.update");
    socket.ev.removeAllListeners("messages.upsert");
    await socket.end(undefined);
    await auth.save();
    return why;
  }

  async #take(message: WAMessage, me: Me): Promise<void> {
    const { id } = message.key;
    if (typeof id === "string") {
      this.#recent.set(id, message);
      const [oldest] = this.#recent.keys();
      if (this.#recent.size > MOST_REMEMBERED && oldest !== undefined) this.#recent.delete(oldest);
    }
    const inbound = normalise(plain(message), me);
    if (inbound !== undefined) await this.#options.receive(inbound);
  }
}

/** Messages are objects of classes; what is read of them is data. Bytes are written as in `Buffer`'s own JSON, in base64. */
function plain(message: WAMessage): unknown {
  return JSON.parse(
    JSON.stringify(message, (_, value: unknown) => {
      if (value instanceof Uint8Array) return { type: "Buffer", data: Buffer.from(value).toString("base64") };
      const isBuffer = isObject(value) && value["type"] === "Buffer" && Array.isArray(value["data"]);
      return isBuffer ? { type: "Buffer", data: Buffer.from(value["data"]).toString("base64") } : value;
    }),
  );
}

function meOf({ user }: WASocket): Me {
  return { id: user?.id ?? "", ...(user?.lid !== undefined && { lid: user.lid }) };
}

function personOf({ user }: WASocket) {
  return { id: user?.id.replace(/:\d+@/, "@") ?? "", ...(user?.name !== undefined && { name: user.name }) };
}
