import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Loss } from "../../core/types.js";
import { readFailure, writeFailure } from "./file-errors.js";
import { removeOnExit } from "./temporary.js";

export interface Input {
  /** For messages. */
  name: string;
  /** Undefined for standard input. */
  path: string | undefined;
  /** In bytes, if known in advance. */
  size: number | undefined;
  /** The bytes from the start. Only a `rereadable` input can be opened twice. */
  open(): AsyncIterable<Uint8Array>;
  rereadable: boolean;
  /** For a session in several files: what was not found, once the bytes have been read. */
  missing?: () => Loss[];
  /** Stops reading. Without this, an open pipe keeps the program alive. */
  close(): void;
}

const CHUNK_BYTES = 1024 * 1024;

/** A file, or standard input for `-`. */
export async function openInput(path: string): Promise<Input> {
  if (path === "-") return streamInput("standard input", undefined, () => process.stdin);
  const info = await stat(path).catch((error: unknown) => {
    throw readFailure(path, error);
  });
  if (info.isFile()) return fileInput(path, path, info.size);
  // Pipes and devices can be read once; reading a directory fails with its own error.
  return streamInput(path, path, () => createReadStream(path, { highWaterMark: CHUNK_BYTES }));
}

function fileInput(name: string, path: string, size: number): Input {
  const open = () => withReadErrors(name, createReadStream(path, { highWaterMark: CHUNK_BYTES }));
  return { name, path, size, open, rereadable: true, close: () => undefined };
}

function streamInput(name: string, path: string | undefined, start: () => Readable): Input {
  let started: Readable | undefined;
  const open = () => {
    started = start();
    return withReadErrors(name, started);
  };
  return { name, path, size: undefined, open, rereadable: false, close: () => started?.destroy() };
}

async function* withReadErrors(name: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw readFailure(name, error);
  }
}

/** The first chunks of an input, until `enough`, and an input that still starts with them. */
export async function peek(
  input: Input,
  enough: (chunks: readonly Uint8Array[]) => boolean,
): Promise<{ head: Uint8Array[]; input: Input }> {
  const head: Uint8Array[] = [];
  const rest = input.open()[Symbol.asyncIterator]();
  let ended = false;
  while (!ended && !enough(head)) {
    const { value, done } = await rest.next();
    if (done === true) ended = true;
    else head.push(value);
  }
  if (input.rereadable) {
    await rest.return?.();
    return { head, input };
  }
  const open = async function* () {
    yield* head;
    if (!ended) yield* { [Symbol.asyncIterator]: () => rest };
  };
  return { head, input: { ...input, open } };
}

/** An input that can be read twice: itself, or a private copy that is removed on exit. */
export async function rereadable(input: Input): Promise<Input> {
  if (input.rereadable) return input;
  const copy = join(tmpdir(), `dragoman-${randomBytes(12).toString("hex")}.tmp`);
  removeOnExit(copy);
  try {
    await pipeline(input.open(), createWriteStream(copy, { mode: 0o600, flags: "wx" }));
  } catch (error) {
    throw writeFailure(copy, error);
  }
  const { size } = await stat(copy);
  return { ...fileInput(input.name, copy, size), path: input.path };
}
