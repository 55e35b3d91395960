import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { MessageDecoder } from "../../convert/decode.js";
import { type RecordReader, recordReader } from "../../convert/read.js";
import { readMessages } from "../../convert/read-messages.js";
import type { Dialect } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage, AssistantContent } from "../../core/types.js";
import { systemCode } from "../../log/files/disk-error.js";
import { companionsOf, joinSession } from "../companions/companions.js";

const CHUNK_BYTES = 256 * 1024;

/** What is new in a file. */
export interface Added {
  /** Messages that stay as they are. */
  final: AgentMessage[];
  /** Messages that follow them, and that later lines may complete or replace. */
  pending: AgentMessage[];
}

/** Reads a transcript while another program writes it. */
export interface FileTail {
  /** What was added since the last call; undefined if the file has not changed, or is being replaced. */
  read(): Promise<Added | undefined>;
  /** The files to watch. */
  files(): Promise<string[]>;
}

/** What to keep of a file when it is read for the first time, because it may be large. */
export interface Beginning {
  isWanted(message: AgentMessage): boolean;
  /** The last messages. */
  last: number;
}

/** Lines are read as they are appended. Other formats are read from the start each time, because programs rewrite them. */
export function tailFile(path: string, dialect: Dialect, beginning: Beginning): FileTail {
  const { kind } = dialect.framing;
  return kind === "lines" ? new LineTail(path, dialect, beginning) : new DocumentTail(path, dialect);
}

class LineTail implements FileTail {
  readonly #path: string;
  readonly #dialect: Dialect;
  readonly #beginning: Beginning;
  #reader: RecordReader;
  #decoder: MessageDecoder;
  #offset = 0;
  #inode: number | undefined;

  constructor(path: string, dialect: Dialect, beginning: Beginning) {
    this.#path = path;
    this.#dialect = dialect;
    this.#beginning = beginning;
    [this.#reader, this.#decoder] = this.#begin();
  }

  async files(): Promise<string[]> {
    return [this.#path];
  }

  async read(): Promise<Added | undefined> {
    const file = await open(this.#path);
    try {
      const { ino, size } = await file.stat();
      const before = this.#inode;
      this.#inode = ino;
      if (before === undefined) return await this.#readFirst(file, size);
      if (ino !== before || size < this.#offset) return await this.#restart(file, size);
      if (size === this.#offset) return undefined;
      const final: AgentMessage[] = [];
      for await (const message of this.#messages(file, size)) final.push(message);
      return { final, pending: this.#decoder.pending() };
    } finally {
      await file.close();
    }
  }

  /** Damaged lines are left out: `dragoman check` reports them. */
  #begin(): [RecordReader, MessageDecoder] {
    const { framing } = this.#dialect;
    const onBad = () => undefined;
    return [recordReader(framing, { onBad }), new MessageDecoder(this.#dialect, { onBad })];
  }

  async #readFirst(file: FileHandle, size: number): Promise<Added> {
    const { isWanted, last } = this.#beginning;
    const final: AgentMessage[] = [];
    for await (const message of this.#messages(file, size)) {
      if (!isWanted(message)) continue;
      final.push(message);
      if (final.length > 2 * last) final.splice(0, final.length - last);
    }
    return { final, pending: this.#decoder.pending() };
  }

  /** Skips to the end of a file that was replaced: what was shown before is not shown again. */
  async #restart(file: FileHandle, size: number): Promise<undefined> {
    this.#offset = 0;
    [this.#reader, this.#decoder] = this.#begin();
    for await (const _ of this.#messages(file, size));
  }

  async *#messages(file: FileHandle, end: number): AsyncGenerator<AgentMessage> {
    while (this.#offset < end) {
      const room = Buffer.alloc(Math.min(CHUNK_BYTES, end - this.#offset));
      const { bytesRead } = await file.read(room, 0, room.length, this.#offset);
      if (bytesRead === 0) break;
      this.#offset += bytesRead;
      for (const record of this.#reader.push(room.subarray(0, bytesRead))) {
        for (const { message } of this.#decoder.push(record)) yield message;
      }
    }
  }
}

class DocumentTail implements FileTail {
  readonly #path: string;
  readonly #dialect: Dialect;
  #seen: string | undefined;

  constructor(path: string, dialect: Dialect) {
    this.#path = path;
    this.#dialect = dialect;
  }

  async files(): Promise<string[]> {
    const companions = await companionsOf(this.#dialect.name);
    return [this.#path, ...((await companions?.filesOf(this.#path)) ?? [])];
  }

  async read(): Promise<Added | undefined> {
    const state = await this.#state();
    if (state === this.#seen) return undefined;
    const isFirst = this.#seen === undefined;
    this.#seen = state;
    try {
      return { final: [], pending: await this.#readAll() };
    } catch (error) {
      // Some programs do not replace the file in one step: it is complete after a later change.
      if (!isFirst && error instanceof DragomanError) return undefined;
      throw error;
    }
  }

  /** What changes whenever a file of the session does. A session in a database has no file of its own. */
  async #state(): Promise<string> {
    const states = (await this.files()).map(async (file) => {
      const found = await stat(file).catch(ignoreMissing);
      return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`;
    });
    return (await Promise.all(states)).join("\n");
  }

  async #readAll(): Promise<AgentMessage[]> {
    const messages: AgentMessage[] = [];
    const joined = await joinSession(this.#path, this.#dialect.name);
    const bytes = joined?.open() ?? createReadStream(this.#path);
    for await (const batch of readMessages(bytes, { from: this.#dialect })) {
      for (const { message } of batch) messages.push(message);
    }
    const last = messages.pop();
    return last === undefined ? [] : [...messages, ...begunPart(last)];
  }
}

/** What is known of the last message: some programs store a block before its text or its arguments. */
function begunPart(message: AgentMessage): AgentMessage[] {
  if (message.role !== "assistant" || message.errorMessage !== undefined) return [message];
  const open = message.content.findIndex(isOpen);
  if (open === 0 || message.content.length === 0) return [];
  return [open === -1 ? message : { ...message, content: message.content.slice(0, open) }];
}

function isOpen(block: AssistantContent): boolean {
  if (block.type === "toolCall") return Object.keys(block.arguments).length === 0;
  return (block.type === "text" && block.text === "") || (block.type === "thinking" && block.thinking === "");
}

const MISSING: readonly unknown[] = ["ENOENT", "ENOTDIR"];

function ignoreMissing(error: unknown): undefined {
  if (!MISSING.includes(systemCode(error))) throw error;
}
