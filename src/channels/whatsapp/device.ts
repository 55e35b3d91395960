import { setTimeout as pause } from "node:timers/promises";
import type { WAMessage, WASocket } from "baileys";
import { isObject } from "../../core/json/value.js";
import { pauseBefore } from "../pauses.js";
import type { ChannelState, Inbound } from "../types.js";
import type { Auth } from "./auth.js";
import { type Baileys, silent } from "./client.js";
import { type Ending, endingOf } from "./ending.js";
import { Gate } from "./gate.js";
import type { Identities } from "./identities.js";
import { Intake } from "./intake.js";
import { bareJid } from "./jid.js";
import type { RecentMessages } from "./recent-messages.js";
import { silenced } from "./silence-signal.js";

const GOODBYE_MS = 2000;

export interface DeviceOptions {
  baileys: Baileys;
  auth: Auth;
  recent: RecentMessages;
  identities: Identities;
  socketUrl: string | undefined;
  /** The phone to link with a code to type (default: scan a QR code). */
  phone: string | undefined;
  receive(inbound: Inbound): Promise<void>;
  onUnread(why: string): void;
  onState(state: ChannelState): void;
  now(): number;
}

export interface DeviceConnection {
  socket: WASocket;
  /** Aborted when the connection ends. */
  over: AbortSignal;
}

/** One linked device, which reconnects whenever its connection is lost. */
export class Device {
  readonly intake: Intake;
  readonly #options: DeviceOptions;
  readonly #closing = new AbortController();
  #open: DeviceConnection | undefined;
  #done: Promise<void>;

  constructor(options: DeviceOptions) {
    this.#options = options;
    this.intake = new Intake({
      recent: options.recent,
      identities: options.identities,
      receive: options.receive,
      onUnread: options.onUnread,
      onTrouble: (why, pauseMs) => this.#reportWaiting(why, pauseMs),
      onRelief: () => {
        if (this.#open !== undefined) this.#report(this.#connected());
      },
    });
    this.#done = this.#stayConnected();
  }

  /** The open connection, if any. */
  get connection(): DeviceConnection | undefined {
    return this.#open;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
    await this.intake.flush();
    await this.#options.recent.close();
    await this.#options.identities.close();
    await this.#options.auth.close();
  }

  async #stayConnected(): Promise<void> {
    const { signal } = this.#closing;
    for (let attempt = 0; !signal.aborted; attempt++) {
      this.#report({ state: "connecting" });
      const onOpen = () => {
        attempt = 0;
      };
      const { state, atOnce } = await this.#runConnection(onOpen).catch(endingOf);
      if (state.state === "stopped") return this.#report(state);
      if (atOnce) continue;
      const pauseMs = pauseBefore(attempt);
      this.#reportWaiting(state.why, pauseMs);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One connection. Resolves with the reason it ended. */
  async #runConnection(onOpen: () => void): Promise<Ending> {
    const { auth } = this.#options;
    const { creds } = auth.state;
    const over = new AbortController();
    // A requested code was never typed: to start over, the device must not have an identity.
    if (creds.pairingCode !== undefined && !creds.registered) delete creds.me;
    const socket = this.#connect(over.signal);
    try {
      return await this.#untilClosed({ socket, over: over.signal }, onOpen);
    } finally {
      this.#open = undefined;
      await hangUp(socket);
      over.abort();
      await auth.save();
    }
  }

  #connect(over: AbortSignal): WASocket {
    const { baileys, auth, recent, socketUrl } = this.#options;
    /** Messages stored by the gate, which `messages.upsert` repeats. */
    const stored = new Set<string>();
    const gate = new Gate(baileys, auth.state.creds, async (message) => {
      await this.#accept(message, over);
      stored.add(keyOf(message));
    });
    const { RECENT, FULL, ON_DEMAND } = baileys.proto.HistorySync.HistorySyncType;
    const socket = baileys.makeWASocket({
      auth: auth.state,
      logger: silent,
      markOnlineOnConnect: false,
      syncFullHistory: false,
      // These would delay messages for 20 seconds after linking. The others contain the pairs of ids.
      shouldSyncHistoryMessage: ({ syncType }) =>
        ![RECENT, FULL, ON_DEMAND].some((type) => type === syncType),
      ...(socketUrl !== undefined && { waWebSocketUrl: socketUrl }),
      getMessage: async ({ id }) => (await recent.find(id ?? "", "ours"))?.message ?? undefined,
      makeSignalRepository: (...parts) => silenced(gate.makeSignalRepository(...parts)),
    });
    socket.ws.prependListener("CB:message", (node) => gate.observe(node));
    // Includes type `append`: messages from while we were offline, and our own.
    socket.ev.on("messages.upsert", ({ messages }) => {
      for (const message of messages) {
        if (stored.delete(keyOf(message))) continue;
        // Rejects only when the channel closes.
        this.#accept(message, this.#closing.signal).catch(() => undefined);
      }
    });
    return socket;
  }

  #untilClosed(connection: DeviceConnection, onOpen: () => void): Promise<Ending> {
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
        if (qr !== undefined && phone === undefined) this.#report({ state: "pairing", code: qr });
        if (qr !== undefined && phone !== undefined && !asked) {
          asked = true;
          requestPairingCode(phone).then((code) => this.#report({ state: "pairing", code }), fail);
        }
        if (change === "open") {
          this.#open = connection;
          onOpen();
          this.#report(this.#connected());
        }
        if (change === "close") fail(lastDisconnect?.error);
      });
    });
  }

  #accept(message: WAMessage, signal: AbortSignal): Promise<void> {
    const { me } = this.#options.auth.state.creds;
    const ids = { id: me?.id ?? "", ...(me?.lid !== undefined && { lid: me.lid }) };
    return this.intake.accept(message, ids, signal);
  }

  #connected(): ChannelState {
    const { me } = this.#options.auth.state.creds;
    const id = bareJid(me?.id ?? "") ?? "";
    return { state: "connected", me: { id, ...(me?.name !== undefined && { name: me.name }) } };
  }

  #reportWaiting(why: string, pauseMs: number): void {
    this.#report({ state: "waiting", why, untilMs: this.#options.now() + pauseMs });
  }

  #report(state: ChannelState): void {
    if (!this.#closing.signal.aborted) this.#options.onState(state);
  }
}

/** Closes the socket, with a short wait for the other side. */
async function hangUp({ ws, end }: WASocket): Promise<void> {
  // The inner socket, which Baileys does not expose, would wait for half a minute.
  const inner: unknown = Reflect.get(ws, "socket");
  const grace = setTimeout(() => {
    if (isObject(inner) && typeof inner["terminate"] === "function") inner["terminate"]();
  }, GOODBYE_MS);
  await end(undefined);
  clearTimeout(grace);
  // Pending queries would wait a minute for their replies.
  ws.emit("error", Object.assign(new Error("Connection Closed"), { output: { statusCode: 428 } }));
}

function keyOf({ key }: WAMessage): string {
  return `${key.remoteJid} ${key.id}`;
}
