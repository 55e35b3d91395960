import type { JsonObject } from "../../core/json/value.js";
import type { TimbalMessage } from "./live-message.js";
import { TimbalReceiver } from "./receiver.js";
import { formatTime, parseTime } from "./time.js";

export interface TimbalSenderOptions {
  /** The stream that every frame belongs to, on a multiplexed connection. */
  stream?: string;
}

/**
 * The sending end of one stream: makes the frames, and remembers what they amount to for those who join later.
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

  /** Begins a message, or begins it again. With `meta` its text becomes `content`; without, it is the JSON of the value. */
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

  /** What has been sent, as a receiver has it. */
  get messages(): readonly TimbalMessage[] {
    return this.#sent.messages(this.#stream);
  }

  /**
   * What somebody who joins must be sent first: the complete messages, from the time `since` on if it is given, and the
   * open ones as far as they are. The live frames can follow directly.
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
