/** Where a client connects. The session is `agent:main:page:dm:<session>`. */
export interface Place {
  url: string;
  /** Of scope `admin`, so that it can approve. */
  token: string;
  session: string;
}

/** An official client with one session open, as far as all of them can do the same. */
export interface SessionClient {
  /** The text of the last answer, as the client shows it: its turns joined. */
  readonly answer: string;
  /** Fulfilled when the answer has ended, or waits for a permission. Rejected if the client reports a failure. */
  send(text: string): Promise<void>;
  /** Fulfilled when the client shows this answer. */
  shows(answer: string): Promise<void>;
  /** Allows the call that waits; fulfilled as `send` is. Missing if the client cannot. */
  approve?(): Promise<void>;
  /** Stops the run, as the client's stop button does. */
  stop(): Promise<void>;
  /** The client disconnects, and another one of its kind opens the session and follows the answer in progress. */
  reload(): Promise<SessionClient>;
  /** Another client of this kind that opens the same session, while this one stays. */
  join(): Promise<SessionClient>;
}

/** A client and its version. */
export interface ClientKind {
  name: string;
  open(place: Place): Promise<SessionClient>;
}

/** The stream of a client that follows. Its failure shows in what the client shows, as for a person who looks at it. */
export function inBackground(following: Promise<unknown>): void {
  following.catch(() => undefined);
}

/** Waits until something holds that only changes when the client reports a change. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  readonly notify = (): void => {
    for (const listener of [...this.#listeners]) listener();
  };

  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }
}
