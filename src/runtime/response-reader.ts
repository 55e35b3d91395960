import type { IncomingMessage } from "node:http";
import type { ChunkReader } from "../providers/world.js";

/** Above this, the server has to wait. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** Reads an answer in the chunks that Node emits. Node's own iterator copies those that arrived together into a new one. */
export class ResponseReader implements ChunkReader {
  readonly #answer: IncomingMessage;
  readonly #chunks: Uint8Array[] = [];
  #unread = 0;
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(answer: IncomingMessage) {
    this.#answer = answer;
    answer.on("data", (chunk: Uint8Array) => {
      this.#chunks.push(chunk);
      this.#unread += chunk.length;
      if (this.#unread > MAX_UNREAD_BYTES) answer.pause();
      this.#wake?.();
    });
    answer.once("end", () => this.#finish({}));
    answer.once("error", (error) => this.#finish({ error }));
  }

  async read(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const value = this.readNow();
      if (value !== undefined) return { done: false, value };
      if (this.#end !== undefined && "error" in this.#end) throw this.#end.error;
      if (this.#end !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  readNow(): Uint8Array | undefined {
    const chunk = this.#chunks.shift();
    this.#unread -= chunk?.length ?? 0;
    if (chunk === undefined && this.#answer.isPaused()) this.#answer.resume();
    return chunk;
  }

  async cancel(): Promise<void> {
    this.#answer.destroy();
  }

  #finish(end: { error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
  }
}
