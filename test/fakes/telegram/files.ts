import { refuseIf } from "./refusal.js";

interface StoredFile {
  id: string;
  bytes: Uint8Array;
}

const MOST_BYTES = 20_000_000;

/** Files that people sent, and that the bot may fetch. */
export class Files {
  readonly #files: StoredFile[] = [];

  /** Returns its `file_id`. */
  add(bytes: Uint8Array): string {
    const id = `file-${this.#files.length + 1}`;
    this.#files.push({ id, bytes });
    return id;
  }

  /** The answer of `getFile`. */
  describe(id: unknown): object {
    const file = this.#files.find((known) => known.id === id);
    refuseIf(file === undefined, "Bad Request: wrong file_id or the file is temporarily unavailable");
    const size = file?.bytes.length ?? 0;
    refuseIf(size > MOST_BYTES, "Bad Request: file is too big");
    return { file_id: id, file_unique_id: `u-${id}`, file_size: size, file_path: `files/${id}` };
  }

  /** What is at a `file_path`. */
  at(path: string): Uint8Array | undefined {
    return this.#files.find(({ id }) => path === `files/${id}`)?.bytes;
  }
}
