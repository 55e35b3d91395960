import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { BlobOptions, BlobRef, Blobs } from "../store.js";
import { fallbackIfMissing, readFailure, writeFailure } from "./disk-error.js";
import { makeFolder, syncFolder } from "./folder.js";
import { sessionsFolder } from "./session-files.js";
import { writeWhole } from "./whole-file.js";

/** `agents/main/sessions/01K….media/9f86d0….png`, with slashes. */
const BLOB_PATH = /^agents\/[^/]+\/sessions\/[^/]+\.media\/[0-9a-f]{32}\.\w+$/;

/** Blobs as files in a folder beside their session. A reference is the file's absolute path. */
export class BlobFiles implements Blobs {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  async put(bytes: Uint8Array, { session, agent, extension }: BlobOptions): Promise<BlobRef> {
    const folder = join(sessionsFolder(this.#home, agent), `${session}.media`);
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
    if (!BLOB_PATH.test(relative(this.#home, ref).split(sep).join("/"))) return undefined;
    try {
      return await fallbackIfMissing(readFile(ref), undefined);
    } catch (error) {
      throw readFailure(ref, error);
    }
  }
}
