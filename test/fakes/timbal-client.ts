import { WebSocket } from "ws";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { TimbalReceiver } from "../../src/dialects/timbal/index.js";

/** A Timbal client as others write it: it keeps every frame it got, and what they amount to. */
export class TimbalClient {
  readonly frames: JsonObject[] = [];
  readonly receiver = new TimbalReceiver();
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly socket: WebSocket;
  #looking: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on("message", (data) => {
      const frame: unknown = JSON.parse(data.toString());
      if (!isObject(frame)) throw new TypeError("a frame is an object");
      this.frames.push(frame);
      this.receiver.receive(frame);
      for (const look of [...this.#looking]) look();
    });
  }

  /** `url` is `http://127.0.0.1:12345/v1/stream`. */
  static async open(url: string, token: string): Promise<TimbalClient> {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
    const client = new TimbalClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return client;
  }

  send(frame: JsonObject | string): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** Fulfilled as soon as what it has got fits. */
  until(fits: (client: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!fits(this)) return;
        this.#looking = this.#looking.filter((other) => other !== look);
        resolve();
      };
      this.#looking.push(look);
      look();
    });
  }

  /** Asks for what was before, and waits until it is there: after it comes a cursor. */
  async sync(wish: JsonObject = {}): Promise<void> {
    const before = this.cursors.length;
    this.send({ c: "sync", ...wish });
    await this.until(({ cursors }) => cursors.length > before);
  }

  get cursors(): unknown[] {
    return this.frames.filter(({ c }) => c === "cursor").map(({ after }) => after);
  }

  /** What everybody must agree on. */
  transcript(stream?: string): unknown[] {
    return this.receiver.messages(stream).map(({ i, t, state, value }) => [i, t, state, value]);
  }

  values(stream?: string): unknown[] {
    return this.receiver.messages(stream).map(({ value }) => value);
  }

  close(): void {
    this.socket.close();
  }
}
