import { detectOne, loadDialect, type ReadMessage, readMessages, sourceOf } from "dragoman/convert";
import type { DragomanError } from "dragoman/core";
import { inSlices, type YieldToPage } from "./slices.js";

/** A message, and the place of the record it was read from. */
export type Entry = Pick<ReadMessage, "message" | "at" | "line">;

/** A part of the file that could not be read, and why. */
export interface Unread {
  at: string;
  line: number;
  text: string;
  message: string;
}

/** What is known of a transcript beside its messages. */
export interface Head {
  dialect: string;
  title: string;
  /** Whether the dialect records each message's parent. */
  branches: boolean;
  unread: Unread[];
}

/** Everything that could be read of a transcript, the messages in file order. */
export interface Loaded extends Head {
  entries: Entry[];
}

/** A message's text in the file. */
export type SourceText = NonNullable<ReturnType<typeof sourceOf>>;

/** Reads a transcript in slices, and remembers where each message's text is. */
export class TranscriptLoader {
  readonly #bytes: Uint8Array;
  readonly #breathe: YieldToPage;
  #texts: Pick<ReadMessage, "text" | "inText" | "line">[] = [];

  constructor(bytes: Uint8Array, breathe: YieldToPage) {
    this.#bytes = bytes;
    this.#breathe = breathe;
  }

  /** Calls back with batches of messages. Throws a `DragomanError` if nothing can be read. */
  async load(from: string | undefined, onEntries: (entries: Entry[]) => void): Promise<Head> {
    const name = from ?? (await detectOne(this.#bytes));
    const dialect = await loadDialect(name);
    const unread: Unread[] = [];
    let failure: DragomanError | undefined;
    const batches = readMessages(inSlices(this.#bytes, this.#breathe), {
      from: dialect,
      onUnread: ({ error, at, line, text }) => {
        failure ??= error;
        unread.push({ at, line, text, message: error.message });
      },
    });
    this.#texts = [];
    for await (const batch of batches) {
      for (const { text, inText, line } of batch) this.#texts.push({ text, inText, line });
      if (batch.length > 0) onEntries(batch.map(({ message, at, line }) => ({ message, at, line })));
      await this.#breathe();
    }
    if (this.#texts.length === 0 && failure !== undefined) throw failure;
    return { dialect: name, title: dialect.title, branches: dialect.branches, unread };
  }

  /** A message's text; undefined for one that was assembled from a recorded stream. */
  sourceOf(index: number): SourceText | undefined {
    const text = this.#texts[index];
    return text === undefined ? undefined : sourceOf(text);
  }
}
