import type { JsonObject } from "../../core/json/value.js";
import type { TimbalMessage } from "./live-message.js";
import { TimbalReceiver } from "./receiver.js";
import { formatTime, parseTime } from "./time.js";

export interface TimbalSenderOptions {
  /** The stream of every frame, on a multiplexed connection. */
  stream?: string;
}

/**
 * The sending end of one stream: makes frames, and stores the resulting messages for clients that join later.
 *
 * @example
 * const sender = new TimbalSender();
 * broadcast(sender.start(id, { type: "agent" }));
 * broadcast(sender.append(id, "Hello"));
 * broadcast(sender.set(id, Date.now(), { type: "agent", content: "Hello" }));
 */
export class TimbalSender {
  readonly #stream: string | undefined;
  readonly #sent = new TimbalReceiver();

  constructor({ stream }: TimbalSenderOptions = {}) {
    this.#stream = stream;
  }

  /** Starts a message, or restarts it. With `meta`, its text becomes `content`; without, its text is the value's JSON. */
  start(id: string, meta?: JsonObject): JsonObject {
    return this.#send(this.#start(id, meta));
  }

  append(id: string, text: string): JsonObject {
    return this.#send({ ...this.#frame(id), a: text });
  }

  /** Completes a message. The time is in milliseconds since 1970. */
  set(id: string, time: number, value: JsonObject): JsonObject {
    const t = formatTime(time);
    return this.#send({ ...this.#frame(id), ...(t === undefined ? {} : { t }), v: value });
  }

  remove(id: string): JsonObject {
    return this.#send({ ...this.#frame(id), v: null });
  }

  /** The sent messages, as a receiver sees them. */
  get messages(): readonly TimbalMessage[] {
    return this.#sent.messages(this.#stream);
  }

  /**
   * The frames to send first to a client that joins: the complete messages (default: all, otherwise from the time `since`
   * on) and the open ones so far. Live frames can follow directly.
   */
  prelude(since?: string): JsonObject[] {
    const from = parseTime(since);
    return this.messages.flatMap((message) => {
      if (message.frame === undefined) return this.#reopened(message);
      const time = parseTime(message.t);
      return from === undefined || time === undefined || time >= from ? [message.frame] : [];
    });
  }

  #reopened({ i, meta, text }: TimbalMessage): JsonObject[] {
    const start = this.#start(i, meta);
    return text === "" ? [start] : [start, { ...this.#frame(i), a: text }];
  }

  #start(i: string, meta: JsonObject | undefined): JsonObject {
    return meta === undefined ? this.#frame(i) : { ...this.#frame(i), m: meta };
  }

  #frame(i: string): JsonObject {
    return this.#stream === undefined ? { i } : { s: this.#stream, i };
  }

  #send(frame: JsonObject): JsonObject {
    this.#sent.receive(frame);
    return frame;
  }
}
