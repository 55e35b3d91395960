import { createHash } from "node:crypto";
import type { BlobOptions, BlobRef, Blobs } from "../store.js";
import type { Database } from "./database.js";

const CHUNK_BYTES = 1024 * 1024;
const REF = /^media:([0-9a-f]{32})\.\w+$/;

/** Blobs in rows of a megabyte. The same content is stored once, whichever session refers to it. */
export class PostgresBlobs implements Blobs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(bytes: Uint8Array, { extension }: BlobOptions): Promise<BlobRef> {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    const ref = `media:${hash}.${extension}`;
    if ((await this.#sizeOf(hash)) !== undefined) return ref;
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
    return ref;
  }

  async get(ref: BlobRef): Promise<Uint8Array | undefined> {
    const [, hash] = REF.exec(ref) ?? [];
    if (hash === undefined) return undefined;
    const size = await this.#sizeOf(hash);
    if (size === undefined) return undefined;
    const bytes = new Uint8Array(size);
    for (let n = 0; n * CHUNK_BYTES < size; n++) {
      const text = "select bytes from blob_chunk where hash = $1 and n = $2";
      const row = await this.#database.first<{ bytes: Buffer }>({
        name: "get chunk",
        text,
        values: [hash, n],
      });
      if (row !== undefined) bytes.set(row.bytes, n * CHUNK_BYTES);
    }
    return bytes;
  }

  async #sizeOf(hash: string): Promise<number | undefined> {
    const text = "select size::float8 as size from blob where hash = $1";
    const row = await this.#database.first<{ size: number }>({ name: "blob", text, values: [hash] });
    return row?.size;
  }
}
