import { createReadStream } from "node:fs";
import { load } from "../../convert/detect.js";
import type { Dialect } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import { type AgentFilter, HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import type { Entry, Position } from "../../log/types.js";
import { joinSession } from "../companions/companions.js";
import type { Sessions } from "../sessions.js";
import { fileDialect, fileMessages } from "../transcript.js";
import { findElsewhere, findOwn } from "./find-session.js";
import type { Source } from "./source.js";

export interface ReadableOptions extends Pick<Sessions, "log" | "catalogue"> {
  /** All sources other than the home. */
  sources(): Promise<readonly Source[]>;
  /** The agents whose sessions may be read (default: all). */
  filter: AgentFilter;
  mayRead(session: SessionSummary): boolean;
}

/** A session's transcript as bytes. */
export interface SessionBytes {
  dialect: Dialect;
  open(): AsyncIterable<Uint8Array>;
}

/** Reports what takes long. */
export interface IndexOptions {
  signal: AbortSignal;
  onProgress(text: string): void;
}

/** The sessions of a home and of other programs on this computer, as far as a reader may see them. */
export class ReadableSessions {
  readonly #options: ReadableOptions;

  constructor(options: ReadableOptions) {
    this.#options = options;
  }

  /** What a listing or a search of these sources is limited to, after indexing what is new in them. */
  async indexed(source: string | undefined, options: IndexOptions): Promise<AgentFilter> {
    const { home, others } = await this.#choose(source);
    if (home) await this.#index([undefined], options);
    await this.#index(others, options);
    const sources = [...(home ? [HOME_SOURCE] : []), ...others.map(({ name }) => name)];
    return { ...this.#options.filter, sources };
  }

  /** The session with this id, id prefix or key. */
  async find(name: string, source: string | undefined, options: IndexOptions): Promise<SessionSummary> {
    const { catalogue, mayRead } = this.#options;
    const { home, others } = await this.#choose(source);
    if (home) await this.#index([undefined], options);
    const index = (chosen: readonly Source[]) => this.#index(chosen, options);
    const found =
      (home ? await findOwn(catalogue, name) : undefined) ??
      (await findElsewhere({ catalogue, index }, others, name));
    if (found !== undefined && mayRead(found)) return found;
    throw new DragomanError("log/no-session", `there is no session ${JSON.stringify(name)}`, {
      hint: "list or search the sessions to find its id",
    });
  }

  /** A session's messages from a position on. In other programs' sessions, positions count messages. */
  async *read(
    session: SessionSummary,
    from: Position,
    onBadLine: (reason: string) => void,
  ): AsyncGenerator<Entry> {
    const { log } = this.#options;
    if (session.foreign) {
      let position = 0;
      for await (const message of await this.#foreignMessages(session, onBadLine)) {
        if (position >= from) yield { message, position, next: position + 1 };
        position += 1;
      }
      return;
    }
    const own = await log.open(session.id);
    try {
      yield* own.read({ from, onBadLine: ({ problem }) => onBadLine(problem.message) });
    } finally {
      await own.close();
    }
  }

  async bytesOf({ id, path, foreign, source }: SessionSummary): Promise<SessionBytes> {
    if (!foreign) {
      const own = await this.#options.log.open(id);
      const end = await own.end();
      await own.close();
      return { dialect: await load("openclaw"), open: () => createReadStream(path, { end: end - 1 }) };
    }
    const dialect = (await (await this.#source(source))?.dialectOf(path)) ?? (await fileDialect(path));
    const joined = await joinSession(path, dialect.name);
    return { dialect, open: joined?.open ?? (() => createReadStream(path)) };
  }

  async #foreignMessages(
    { path, source }: SessionSummary,
    onBadLine: (reason: string) => void,
  ): Promise<AsyncIterable<AgentMessage>> {
    const found = await this.#source(source);
    if (found !== undefined) return found.readForeign(path, (_, reason) => onBadLine(reason));
    return fileMessages(path, await fileDialect(path), {
      onLoss: ({ what, why }) => onBadLine(`${what}: ${why}`),
    });
  }

  async #source(name: string): Promise<Source | undefined> {
    if (name === HOME_SOURCE) return undefined;
    return (await this.#options.sources()).find((one) => one.name === name);
  }

  async #choose(source = "all"): Promise<{ home: boolean; others: readonly Source[] }> {
    if (source === HOME_SOURCE) return { home: true, others: [] };
    const sources = await this.#options.sources();
    if (source === "all") return { home: true, others: sources };
    const others = sources.filter(({ name }) => name === source);
    if (others.length > 0) return { home: false, others };
    const names = ["all", HOME_SOURCE, ...sources.map(({ name }) => name)];
    throw new DragomanError("log/no-source", `there is no source ${JSON.stringify(source)}`, {
      hint: `the sources are ${names.join(", ")}`,
    });
  }

  async #index(
    sources: readonly (Source | undefined)[],
    { signal, onProgress }: IndexOptions,
  ): Promise<void> {
    for (const source of sources) {
      signal.throwIfAborted();
      const whose = source === undefined ? "this home" : source.name;
      await this.#options.catalogue.update({
        ...(source === undefined ? {} : { source }),
        signal,
        onProgress: ({ indexed, changed }) =>
          onProgress(`indexed ${indexed} of ${changed} sessions of ${whose}`),
      });
    }
  }
}
