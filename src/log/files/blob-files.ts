import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { BlobOptions, BlobRef, Blobs, StoredBlob } from "../store.js";
import { fallbackIfMissing, readFailure, writeFailure } from "./disk-error.js";
import { entriesOf, makeFolder, syncFolder } from "./folder.js";
import { agentsOf, sessionsFolder } from "./session-files.js";
import { writeWhole } from "./whole-file.js";

/** `agents/main/sessions/01K….media/9f86d0….png`, with slashes. */
const BLOB_PATH = /^agents\/[^/]+\/sessions\/[^/]+\.media\/[0-9a-f]{32}\.\w+$/;
const BLOB_NAME = /^([0-9a-f]{32})\.(\w+)$/;
const FOLDER_SUFFIX = ".media";

/** Blobs as files in a folder beside their session. A reference is the file's absolute path. */
export class BlobFiles implements Blobs {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  async put(bytes: Uint8Array, { session, agent, extension }: BlobOptions): Promise<BlobRef> {
    const folder = join(sessionsFolder(this.#home, agent), `${session}${FOLDER_SUFFIX}`);
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    const path = join(folder, `${hash}.${extension}`);
    try {
      await makeFolder(folder);
      await writeWhole(path, bytes);
      await syncFolder(folder);
    } catch (error) {
      throw writeFailure(path, error);
    }
    return path;
  }

  /** Reads no other file of the home: a reference may come from a message. */
  async get(ref: BlobRef): Promise<Uint8Array | undefined> {
    const [, hash] = /^media:([0-9a-f]{32})\.\w+$/.exec(ref) ?? [];
    const path = hash === undefined ? ref : await this.#pathOf(hash);
    if (path === undefined || !BLOB_PATH.test(relative(this.#home, path).split(sep).join("/")))
      return undefined;
    try {
      return await fallbackIfMissing(readFile(path), undefined);
    } catch (error) {
      throw readFailure(path, error);
    }
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (const agent of await agentsOf(this.#home)) {
      const folder = sessionsFolder(this.#home, agent);
      for (const { name } of await entriesOf(folder)) {
        if (!name.endsWith(FOLDER_SUFFIX)) continue;
        const session = name.slice(0, -FOLDER_SUFFIX.length);
        for (const entry of await entriesOf(join(folder, name))) {
          const [, hash, extension] = (entry.isFile() && BLOB_NAME.exec(entry.name)) || [];
          if (hash === undefined || extension === undefined) continue;
          yield { session, agent, extension, hash, ref: join(folder, name, entry.name) };
        }
      }
    }
  }

  /** For a reference of another store, whose session is not known. */
  async #pathOf(wanted: string): Promise<string | undefined> {
    for await (const { hash, ref } of this.list()) if (hash === wanted) return ref;
    return undefined;
  }
}
