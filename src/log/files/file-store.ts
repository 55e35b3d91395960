import { access, constants } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openCatalogue } from "../catalogue/catalogue.js";
import type { Catalogue, SessionSource } from "../catalogue/types.js";
import { Locks } from "../locks/lock.js";
import type {
  CellCodec,
  Journal,
  JournalOptions,
  LeaseHolders,
  RunMark,
  SharedLines,
  Store,
  Values,
} from "../store.js";
import type { Lease, Log } from "../types.js";
import { BlobFiles } from "./blob-files.js";
import { openCells } from "./cells.js";
import { writeFailure } from "./disk-error.js";
import { DueMarks, sessionLock } from "./due-marks.js";
import { makeFolder } from "./folder.js";
import { HomeLog, type HomeOptions } from "./home.js";
import { JournalFile } from "./journal-file.js";
import { Leases } from "./leases.js";
import { openLines } from "./line-files.js";
import { RunMarkFile } from "./run-mark-file.js";
import { SessionsWatch } from "./sessions-watch.js";
import { ValueFiles } from "./value-files.js";

export interface FileStoreOptions extends HomeOptions {
  home: string;
  /** The messages of a session that another program wrote, for the index. */
  readForeign: SessionSource["readForeign"];
  /** Called with messages for the user. */
  onNote?: (text: string) => void;
  /** For tests: the clock that shows whether this process was suspended. */
  now?: () => number;
}

/** The store that is the files of one folder. Any number of processes on one computer can use the same one. */
export class FileStore implements Store {
  readonly where: string;
  readonly log: Log;
  readonly catalogue: Catalogue;
  readonly due: DueMarks;
  readonly blobs: BlobFiles;
  readonly holders: LeaseHolders;
  readonly #home: string;
  readonly #leases: Leases;
  readonly #cells: Pick<Store, "cell">;
  readonly #lines: Pick<Store, "lines" | "lineNames">;

  constructor({ home, readForeign, onNote, now, ...options }: FileStoreOptions) {
    this.#home = resolve(home);
    this.where = this.#home;
    const locks = new Locks(join(this.#home, "locks"));
    this.#leases = new Leases(locks, now);
    this.due = new DueMarks(this.#home, this.#leases);
    const log = new HomeLog(this.#home, { ...options, locks, leases: this.#leases, due: this.due });
    this.log = log;
    this.blobs = new BlobFiles(this.#home);
    this.holders = {
      me: () => locks.nonce(),
      ofSession: (id) => locks.livingHolder(sessionLock(id)),
      of: (name) => locks.livingHolder(lockOf(name)),
    };
    this.#cells = openCells(this.#home, locks);
    this.#lines = openLines(this.#home, onNote);
    this.catalogue = openCatalogue({
      home: this.#home,
      sessions: (known) => log.list(known),
      readForeign,
      withLock: (work) => locks.withLock("index", work),
      changed: new SessionsWatch(this.#home),
      ...(onNote === undefined ? {} : { onNote }),
    });
  }

  lease(name: string): Promise<Lease | undefined> {
    return this.#leases.tryAcquire(lockOf(name));
  }

  waitForLease(name: string, signal: AbortSignal): Promise<Lease> {
    return this.#leases.waitFor(lockOf(name), signal);
  }

  mark(session: string, under: Lease): RunMark {
    return new RunMarkFile(this.due.runPath(session), () =>
      this.#leases.require(sessionLock(session), under),
    );
  }

  journal<T>(name: string, under: Lease, options: JournalOptions<T>): Promise<Journal<T>> {
    const path = `${this.#path(name)}.jsonl`;
    return JournalFile.open({ ...options, path, checkLease: () => this.#leases.requireAny(under) });
  }

  cell<T>(name: string, codec: CellCodec<T>) {
    return this.#cells.cell(name, codec);
  }

  values(name: string, under: Lease): Values {
    return new ValueFiles(this.#path(name), () => this.#leases.requireAny(under));
  }

  lines(name: string): SharedLines {
    return this.#lines.lines(name);
  }

  lineNames(folder: string): Promise<string[]> {
    return this.#lines.lineNames(folder);
  }

  async ready(): Promise<void> {
    try {
      await makeFolder(this.#home);
      await access(this.#home, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw writeFailure(this.#home, error);
    }
  }

  async close(): Promise<void> {
    await this.catalogue.close();
  }

  #path(name: string): string {
    return join(this.#home, ...name.split("/"));
  }
}

/** `desk.main.telegram` for `channels/telegram/main`: the lock of a channel account has had this name from the beginning. */
function lockOf(name: string): string {
  const [first, ...rest] = name.split("/").reverse();
  return ["desk", first, ...rest.filter((segment) => segment !== "channels")].join(".");
}
