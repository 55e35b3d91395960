import { createHash } from "node:crypto";
import { DragomanError } from "../../core/error.js";
import type { BlobOptions, BlobRef, Blobs, StoredBlob } from "../store.js";
import type { Database } from "./database.js";

const CHUNK_BYTES = 1024 * 1024;
const PAGE = 1_000;
/** Also the path that a store of files uses, in messages of a copied session. No file is read. */
const REF = /^(?:media:|.*\.media[\\/])([0-9a-f]{32})\.\w+$/s;

/** Blobs in rows of a megabyte. The same content is stored once, whichever session refers to it. */
export class PostgresBlobs implements Blobs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(bytes: Uint8Array, { session, agent, extension }: BlobOptions): Promise<BlobRef> {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    if ((await this.#sizeOf(hash)) === undefined) await this.#putContent(hash, bytes);
    await this.#database.run({
      name: "use blob",
      text: "insert into blob_use (session, hash, extension, agent) values ($1, $2, $3, $4) on conflict do nothing",
      values: [session, hash, extension, agent],
    });
    return refOf(hash, extension);
  }

  async #putContent(hash: string, bytes: Uint8Array): Promise<void> {
    for (let n = 0; n * CHUNK_BYTES < bytes.length; n++) {
      const chunk = Buffer.from(bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES));
      await this.#database.run({
        name: "put chunk",
        text: "insert into blob_chunk (hash, n, bytes) values ($1, $2, $3) on conflict do nothing",
        values: [hash, n, chunk],
      });
    }
    // Last: a blob without this row does not exist, and its chunks can be stored again.
    const text = "insert into blob (hash, size) values ($1, $2) on conflict do nothing";
    await this.#database.run({ name: "put blob", text, values: [hash, bytes.length] });
  }

  async get(ref: BlobRef): Promise<Uint8Array | undefined> {
    const [, hash] = REF.exec(ref) ?? [];
    if (hash === undefined) return undefined;
    const size = await this.#sizeOf(hash);
    if (size === undefined) return undefined;
    const bytes = new Uint8Array(size);
    for (let n = 0; n * CHUNK_BYTES < size; n++) {
      const text = "select bytes from blob_chunk where hash = $1 and n = $2";
      const values = [hash, n];
      const row = await this.#database.first<{ bytes: Buffer }>({ name: "get chunk", text, values });
      if (row === undefined) {
        throw new DragomanError("log/unreadable", `a part of the media file ${ref} is missing`);
      }
      bytes.set(row.bytes, n * CHUNK_BYTES);
    }
    return bytes;
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (let [session, hash, extension] = ["", "", ""]; ; ) {
      const rows = await this.#database.run<Omit<StoredBlob, "ref">>({
        name: "list blobs",
        text: `select session, agent, hash, extension from blob_use
          where (session, hash, extension) > ($1, $2, $3) order by session, hash, extension limit ${PAGE}`,
        values: [session, hash, extension],
      });
      for (const row of rows) yield { ...row, ref: refOf(row.hash, row.extension) };
      const last = rows.at(-1);
      if (last === undefined) return;
      ({ session, hash, extension } = last);
    }
  }

  async #sizeOf(hash: string): Promise<number | undefined> {
    const text = "select size::float8 as size from blob where hash = $1";
    const row = await this.#database.first<{ size: number }>({ name: "blob", text, values: [hash] });
    return row?.size;
  }
}

function refOf(hash: string, extension: string): BlobRef {
  return `media:${hash}.${extension}`;
}
