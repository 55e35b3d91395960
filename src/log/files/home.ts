import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DragomanError } from "../../core/error.js";
import type { SessionMessage } from "../../core/types.js";
import { canonicalKey } from "../key.js";
import { Locks } from "../locks/lock.js";
import { foreign, noSession } from "../refusals.js";
import { headerOf } from "../serialise.js";
import type { Fill, KnownFiles, Lease, Log, NewSession, SessionFile, SessionLog } from "../types.js";
import { isLineStart } from "./backwards.js";
import { writeFailure } from "./disk-error.js";
import { DueMarks, sessionLock } from "./due-marks.js";
import { inspect } from "./header.js";
import { KeyPointers } from "./key-pointers.js";
import { Leases } from "./leases.js";
import { withFile } from "./reader.js";
import { FileSession, type SessionMarks } from "./session.js";
import { allSessions, foreignNamed, locate, makeSessionFile, publishSessionFile } from "./session-files.js";
import type { Recovery } from "./torn.js";
import { type OpenFile, Writer } from "./writer.js";

export interface HomeOptions {
  /** Called when a torn last line, left by a dead process, was set aside. */
  onRecovery?: (recovery: Recovery) => void;
}

/**
 * The sessions under a folder. Any number of processes can use the same one.
 *
 * @example
 * const log = openHome("/home/ann/.dragoman");
 * const session = await log.openOrCreate({ agent: "main", key: "agent:main:telegram:dm:123456789" });
 * await session.append([{ role: "user", content: "Hello", timestamp: Date.now() }]);
 */
export function openHome(folder: string, options: HomeOptions = {}): Log {
  return new HomeLog(folder, options);
}

/** What a store shares with its log, and what tests replace. */
interface HomeParts {
  openFile?: OpenFile;
  locks?: Locks;
  leases?: Leases;
  due?: DueMarks;
}

export class HomeLog implements Log {
  readonly #home: string;
  readonly #options: HomeOptions & HomeParts;
  readonly #locks: Locks;
  readonly #leases: Leases;
  readonly #due: DueMarks;
  readonly #pointers: KeyPointers;
  /** By session. */
  readonly #writers = new Map<string, { writer: Writer; users: number }>();

  constructor(home: string, options: HomeOptions & HomeParts = {}) {
    this.#home = resolve(home);
    this.#options = options;
    this.#locks = options.locks ?? new Locks(join(this.#home, "locks"));
    this.#leases = options.leases ?? new Leases(this.#locks);
    this.#due = options.due ?? new DueMarks(this.#home, this.#leases);
    this.#pointers = new KeyPointers(this.#home, this.#locks);
  }

  async create(session: NewSession, fill?: Fill): Promise<SessionLog> {
    const { key } = session;
    return this.#make(session, fill, (publish) =>
      key === undefined ? publish() : this.#pointers.withKeyLock(canonicalKey(key), publish),
    );
  }

  async begin(session: Omit<NewSession, "key">): Promise<SessionLog> {
    return this.#make(session, undefined, undefined);
  }

  async open(id: string): Promise<SessionLog> {
    const path = await locate(this.#home, id);
    if (path === undefined) throw noSession(id);
    return this.#open(id, path);
  }

  async find(key: string): Promise<string | undefined> {
    return this.#withWriteErrors(() => this.#pointers.find(canonicalKey(key)));
  }

  async findForeign(name: string): Promise<SessionFile | undefined> {
    return foreignNamed(this.#home, name);
  }

  async openOrCreate(session: NewSession & { key: string }, fill?: Fill): Promise<SessionLog> {
    const key = canonicalKey(session.key);
    const found = await this.find(key);
    if (found !== undefined) return this.open(found);
    return this.#withWriteErrors(() =>
      this.#pointers.withKeyLock(key, async () => {
        const other = await this.#pointers.find(key);
        return other === undefined ? this.#make(session, fill, (publish) => publish()) : this.open(other);
      }),
    );
  }

  async *list(known?: KnownFiles): AsyncGenerator<SessionFile> {
    for await (const { header: _, ...session } of allSessions(this.#home, known)) yield session;
  }

  async lease(id: string): Promise<Lease | undefined> {
    await this.#requireSession(id);
    return this.#leases.tryAcquire(sessionLock(id));
  }

  async waitForLease(id: string, signal: AbortSignal): Promise<Lease> {
    await this.#requireSession(id);
    return this.#leases.waitFor(sessionLock(id), signal);
  }

  async #requireSession(id: string): Promise<void> {
    // An open session's path is known.
    if (this.#writers.get(id)?.writer.exists() === true) return;
    if ((await locate(this.#home, id)) === undefined) throw noSession(id);
  }

  /**
   * Writes a session under a temporary name. The final rename is the one step in which the session becomes visible and the
   * key leads to it; `exclusively` runs the last steps while no other process changes what the key stands for. Without it,
   * the first append waits until the name is on disk.
   */
  async #make(
    session: NewSession,
    fill: Fill | undefined,
    exclusively: ((publish: () => Promise<void>) => Promise<void>) | undefined,
  ): Promise<SessionLog> {
    const header = headerOf(session, Date.now());
    const { id, key } = header;
    return this.#withWriteErrors(async () => {
      const made = await makeSessionFile(this.#home, session.agent, header);
      const { file, path, line } = made;
      let named: Promise<void> | undefined;
      try {
        if (fill !== undefined) await this.#fill(header, made.aside, fill);
        if (exclusively === undefined) named = (await publishSessionFile(made)).named;
        else
          await exclusively(async () => {
            if (key !== undefined) await this.#pointers.point(key, id);
            await (await publishSessionFile(made)).named;
          });
      } catch (error) {
        await file.close();
        await rm(made.aside, { force: true });
        throw error;
      }
      const writer = this.#acquireWriter(id, path, id);
      await writer.adopt(file, line, named);
      return this.#session(id, header, path, writer);
    });
  }

  async #fill(header: SessionMessage & { id: string }, path: string, fill: Fill): Promise<void> {
    const { id } = header;
    const { openFile } = this.#options;
    const writer = new Writer({ session: id, path, header: id, locks: this.#locks, openFile });
    const session = new FileSession({ id, header, path, writer, onClose: () => writer.close() });
    try {
      await fill(session);
    } finally {
      await session.close();
    }
  }

  async #open(id: string, path: string): Promise<SessionLog> {
    const { header, size } = await inspect(path);
    if (header === undefined) throw foreign(path);
    const endsWithLine = await withFile(path, (file) => isLineStart(file, size));
    const writer = this.#acquireWriter(id, path, header.id);
    if (!endsWithLine) await this.#recover(writer);
    return this.#session(id, header, path, writer);
  }

  #session(id: string, header: SessionMessage, path: string, writer: Writer): SessionLog {
    const onClose = () => this.#releaseWriter(id, writer);
    return new FileSession({ id, header, path, writer, marks: this.#marksOf(id), onClose });
  }

  #marksOf(id: string): SessionMarks {
    return {
      requireLease: (lease) => this.#leases.require(sessionLock(id), lease),
      markDue: () => this.#due.mark(id),
      clearDue: () => this.#due.clear(id),
    };
  }

  #acquireWriter(id: string, path: string, header: string | undefined): Writer {
    const shared = this.#writers.get(id);
    if (shared !== undefined && !shared.writer.lost) {
      shared.users += 1;
      return shared.writer;
    }
    const { onRecovery, openFile } = this.#options;
    const writer = new Writer({ session: id, path, header, locks: this.#locks, onRecovery, openFile });
    this.#writers.set(id, { writer, users: 1 });
    return writer;
  }

  async #releaseWriter(id: string, writer: Writer): Promise<void> {
    const shared = this.#writers.get(id);
    if (shared?.writer === writer) {
      shared.users -= 1;
      if (shared.users > 0) return;
      this.#writers.delete(id);
    }
    await writer.close();
  }

  /** A session that cannot be repaired can still be read; appending to it reports the error. */
  async #recover(writer: Writer): Promise<void> {
    try {
      await writer.append(new Uint8Array());
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
    }
  }

  async #withWriteErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw writeFailure(this.#home, error);
    }
  }
}
