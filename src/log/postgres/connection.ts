import { Socket } from "node:net";
import type { Client, Notification, QueryResultRow } from "pg";
import type { Connect } from "./driver.js";
import { NotConnected } from "./failures.js";

/** A server that has not answered for this long is considered unreachable. The statement is never cancelled. */
const SILENCE_MS = 15_000;

export interface Statement {
  /** Statements with a name are prepared once for each connection. */
  name?: string;
  text: string;
  values?: readonly unknown[];
}

export interface ConnectionOptions {
  /** Called for each new connection, before its first statement. */
  onConnect?(client: Client): Promise<void>;
  onNotification?(notification: Notification): void;
  /** Called with warnings of the server. */
  onWarning?(message: string): void;
  /** Called when an open connection ends without `close`. */
  onLost?(): void;
  silenceMs?: number;
}

/** One connection, opened for the first statement and again after it was lost. Keeps the process alive only while it works. */
export class Connection {
  readonly #connect: Connect;
  readonly #options: ConnectionOptions;
  #client: Promise<Client> | undefined;
  #last: Promise<void> = Promise.resolve();
  #closed = false;
  /** Statements that have not been answered. */
  pending = 0;

  constructor(connect: Connect, options: ConnectionOptions = {}) {
    this.#connect = connect;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Runs one statement, which is a transaction of its own, after those that were given before. Rejected with the driver's
   * error, or with `NotConnected`.
   */
  run<R extends QueryResultRow>(statement: Statement): Promise<R[]> {
    const result =
      this.pending++ === 0 ? this.#send<R>(statement) : this.#last.then(() => this.#send<R>(statement));
    const end = () => {
      this.pending -= 1;
    };
    this.#last = result.then(end, end);
    return result;
  }

  async #send<R extends QueryResultRow>({ values = [], ...statement }: Statement): Promise<R[]> {
    const opening = this.open();
    const client = await opening.catch((error: unknown) => {
      throw new NotConnected(error);
    });
    keepAlive(client, true);
    const silence = setTimeout(() => this.#drop(opening, client), this.#options.silenceMs ?? SILENCE_MS);
    try {
      return (await client.query<R>({ ...statement, values: [...values] })).rows;
    } finally {
      clearTimeout(silence);
      keepAlive(client, false);
    }
  }

  open(): Promise<Client> {
    if (this.#closed) return Promise.reject(new Error("the store was closed"));
    if (this.#client !== undefined) return this.#client;
    const opening = this.#open();
    this.#client = opening;
    opening.then(
      (client) => {
        client.on("end", () => this.#forget(opening));
        client.on("error", () => this.#drop(opening, client));
      },
      () => {
        if (this.#client === opening) this.#client = undefined;
      },
    );
    return opening;
  }

  async #open(): Promise<Client> {
    const { onConnect, onNotification, onWarning } = this.#options;
    const client = await this.#connect();
    if (onNotification !== undefined) client.on("notification", onNotification);
    if (onWarning !== undefined) client.on("notice", ({ message }) => onWarning(message ?? ""));
    try {
      await onConnect?.(client);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) {
      client.end().catch(() => undefined);
      throw new Error("the store was closed");
    }
    keepAlive(client, false);
    return client;
  }

  /** Waits for the statements that are being executed. */
  async close(): Promise<void> {
    await this.#last;
    this.#closed = true;
    const opening = this.#client;
    this.#client = undefined;
    const client = await opening?.catch(() => undefined);
    if (client === undefined) return;
    keepAlive(client, true);
    await client.end();
  }

  /** Closes the socket without a word, so that the server finishes what it executes. */
  #drop(opening: Promise<Client>, client: Client): void {
    client.connection.stream.destroy();
    this.#forget(opening);
  }

  #forget(opening: Promise<Client>): void {
    if (this.#client !== opening) return;
    this.#client = undefined;
    this.#options.onLost?.();
  }
}

/** Whether the connection keeps the process alive. */
function keepAlive({ connection: { stream } }: Client, isNeeded: boolean): void {
  if (!(stream instanceof Socket)) return;
  if (isNeeded) stream.ref();
  else stream.unref();
}
