import { WebSocket } from "ws";
import { isObject } from "../../src/core/json/value.js";
import { checked, checks, isMethod } from "../../src/protocol/checks.js";

/** A client that understands nothing: it sends text and keeps what comes. */
export class RpcSocket {
  readonly #socket: WebSocket;
  /** Every frame that has come, parsed. */
  readonly frames: Record<string, unknown>[] = [];
  #waiting: (() => void)[] = [];
  #id = 0;
  closed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => {
      this.frames.push(JSON.parse(String(data)));
      this.#wake();
    });
    socket.on("close", () => {
      this.closed = true;
      this.#wake();
    });
  }

  static open(host: string, token: string): Promise<RpcSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${host}/rpc`, ["dragoman.v1", `bearer.${token}`], {
        headers: { "x-request-id": "test" },
      });
      const client = new RpcSocket(socket);
      socket.on("open", () => resolve(client));
      socket.on("error", reject);
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** The first frame that fits, as soon as it is there. */
  async until(wanted: (frame: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    await this.sees(wanted);
    const found = this.frames.find(wanted);
    if (found === undefined) throw new Error("the socket was closed");
    return found;
  }

  /** Whether a frame that fits comes before the connection ends. */
  async sees(wanted: (frame: Record<string, unknown>) => boolean): Promise<boolean> {
    while (!this.closed && !this.frames.some(wanted)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.frames.some(wanted);
  }

  /** The answer to a text that is answered by the next frame that is not an event. */
  async ask(text: string): Promise<unknown> {
    const before = this.frames.length;
    this.send(text);
    return this.until((frame) => !("event" in frame) && this.frames.indexOf(frame) >= before);
  }

  /** The whole response to a call. */
  respond(method: string, params: unknown = {}): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return this.until((frame) => frame["id"] === id);
  }

  /** What a call gives, which is what the method's schema says; throws what it is refused with. */
  async call(method: string, params: unknown = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.respond(method, params);
    if (!isObject(result)) throw new Error(JSON.stringify(error));
    if (isMethod(method)) checked<unknown>(checks[method].result, result, `the result of ${method}`);
    return result;
  }

  /** The data of all events of a name that have come. */
  events(name: string): Record<string, unknown>[] {
    return this.frames.flatMap(({ event, data }) => (event === name && isObject(data) ? [data] : []));
  }

  close(): void {
    this.#socket.terminate();
  }
}
