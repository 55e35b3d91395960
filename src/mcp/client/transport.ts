import type { JsonRpcMessage } from "../checks.js";

export interface SendOptions {
  /** Stops waiting for the answer. Over HTTP this closes the response, which cancels a modern request. */
  signal?: AbortSignal;
  /** Additional HTTP headers. */
  headers?: Readonly<Record<string, string>>;
}

/** Carries JSON-RPC messages to a server. */
export interface Transport {
  readonly kind: "stdio" | "http";
  /**
   * Fulfilled when the message is written. Over HTTP the answer to a request, and messages that belong to it, are passed to
   * `onMessage` before that.
   */
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>;
  /** The negotiated version, and whether the server can send messages on its own from now on. */
  begin(version: string): void;
  close(): Promise<void>;
}

export interface TransportEvents {
  /** `request` is the id of the request in whose response the message arrived (HTTP only). */
  onMessage(value: unknown, request?: string | number): void;
  /** The connection is lost, and why. Not called after `close`. */
  onClose(why: Error): void;
  /** A line for the log: the server's standard error, or a note about what it sent. */
  onLine(line: string): void;
}
