import type { Params, Result, RpcEvent } from "../protocol/schema.js";

export interface FrameWatchOptions {
  sessionKey: string;
  /** What to subscribe to, for each connection. */
  wishes(): Promise<Omit<Params<"chat.subscribe">, "sessionKey">>;
  /** It is subscribed; called before the first event. */
  onJoined(result: Result<"chat.subscribe">): void;
  onEvent(event: RpcEvent): void;
  onLost(): void;
  /** The server refuses, or the client was closed. */
  onEnd(failure?: { error: unknown }): void;
}

/** Follows one session across reconnections, for a reader that needs the frames themselves. */
export class FrameWatch {
  readonly sessionKey: string;
  readonly #options: FrameWatchOptions;
  /** The session's key in the server's events; undefined without a subscription. */
  #key: string | undefined;

  constructor(options: FrameWatchOptions) {
    this.sessionKey = options.sessionKey;
    this.#options = options;
  }

  async join(
    subscribe: (
      params: Params<"chat.subscribe">,
      onResult: (answer: Result<"chat.subscribe">) => void,
    ) => Promise<Result<"chat.subscribe">>,
  ): Promise<void> {
    const wishes = await this.#options.wishes();
    let { after } = wishes;
    for (let live = false; !live; ) {
      const params = { ...wishes, sessionKey: this.sessionKey, ...(after === undefined ? {} : { after }) };
      const result = await subscribe(params, (answer) => {
        if (!answer.live) return;
        this.#key = answer.sessionKey;
        this.#options.onJoined(answer);
      });
      live = result.live;
      after = { ...after, position: result.cursor.position };
    }
  }

  accept(event: RpcEvent): void {
    if (event.event !== "session" && event.data.sessionKey === this.#key) this.#options.onEvent(event);
  }

  lost(): void {
    if (this.#key === undefined) return;
    this.#key = undefined;
    this.#options.onLost();
  }

  end(failure?: { error: unknown }): void {
    this.#options.onEnd(failure);
  }
}
