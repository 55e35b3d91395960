import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { decodeLine, type Line, LineSplitter, parseJson } from "../../framing/index.js";
import type { SessionFile } from "../types.js";
import { Digest, type IndexedText, type SpentPart } from "./digest.js";
import { newState, type SessionState } from "./state.js";
import { HOME_SOURCE, type SessionSource } from "./types.js";

const CHUNK_BYTES = 256 * 1024;
/** The approximate limits of one part: a few milliseconds of writing. */
const PART_LENGTH = 64 * 1024;
const PART_MESSAGES = 200;

const LF = 0x0a;

/** A piece of a session that is written to the index in one step. */
export interface Part {
  /** How far the session was indexed before. If the index differs, another process has changed it. */
  before: { inode: number; position: number } | undefined;
  /** It replaces everything indexed of the session. */
  rebuild: boolean;
  state: SessionState;
  texts: IndexedText[];
  spent: SpentPart[];
}

/** Collects lines until they fill a part. */
export class Parts {
  readonly digest: Digest;
  #before: Part["before"];
  #rebuild: boolean;
  #count = 0;

  constructor(state: SessionState, before: Part["before"], rebuild: boolean, idInHeader = false) {
    Reflect.deleteProperty(state.summary, "problem");
    this.digest = new Digest(state, idInHeader);
    this.#before = before;
    this.#rebuild = rebuild;
  }

  *flushIfFull(): Generator<Part> {
    this.#count += 1;
    if (this.digest.length >= PART_LENGTH || this.#count >= PART_MESSAGES) yield this.flush();
  }

  flush(): Part {
    const part = { before: this.#before, rebuild: this.#rebuild, ...this.digest.flush() };
    this.#before = beforeOf(part.state);
    this.#rebuild = false;
    this.#count = 0;
    return part;
  }

  /** Records the file's size and time from before it was read: later changes are found next time. */
  finish({ size, modified }: SessionFile, problem?: string): Part {
    Object.assign(this.digest.state, { size, modified });
    if (problem !== undefined) this.digest.state.summary.problem = problem;
    return this.flush();
  }
}

export function beforeOf(state: SessionState | undefined): Part["before"] {
  return state === undefined ? undefined : { inode: state.inode, position: state.position };
}

/**
 * The lines added to one of our own files. A last line without LF is left for the next time. Most files are small, and
 * waiting for each step of reading one would take several times as long as the steps.
 */
export function* readAdded(
  file: SessionFile,
  known: SessionState | undefined,
): Generator<Part, void, undefined> {
  const descriptor = openSync(file.path, "r");
  try {
    const { ino, size } = fstatSync(descriptor);
    const same = known?.inode === ino && size >= known.position && endsALine(descriptor, known.position);
    const state = same
      ? { ...known, size: -1, modified: -1 }
      : { ...newState(file, HOME_SOURCE), inode: ino };
    const parts = new Parts(state, beforeOf(known), known !== undefined && !same);
    try {
      const start = state.position;
      for (const line of linesFrom(descriptor, start, size)) {
        addLine(parts.digest, line, start + line.offset);
        state.position = start + line.offset + line.bytes.length + 1;
        yield* parts.flushIfFull();
      }
      yield parts.finish(file);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      yield parts.finish(file, error.message);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A position is right after an LF, except in a file that was overwritten. */
function endsALine(descriptor: number, position: number): boolean {
  if (position === 0) return true;
  const byte = new Uint8Array(1);
  readSync(descriptor, byte, 0, 1, position - 1);
  return byte[0] === LF;
}

/** The lines between two positions that end with LF. Their offsets are relative to the first position. */
function* linesFrom(descriptor: number, from: number, to: number): Generator<Line> {
  const splitter = new LineSplitter();
  // Only at the beginning of a file is a byte order mark skipped.
  if (from > 0) splitter.push(Uint8Array.of(LF));
  const before = from > 0 ? 1 : 0;
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, to - from));
  for (let at = from; at < to; ) {
    const count = readSync(descriptor, buffer, 0, Math.min(buffer.length, to - at), at);
    if (count === 0) return;
    at += count;
    for (const line of splitter.push(buffer.subarray(0, count))) {
      yield { ...line, offset: line.offset - before };
    }
    if (splitter.failure !== undefined) throw splitter.failure;
  }
}

export function addLine(digest: Digest, line: Line, position: number): void {
  const value = parsed(line);
  if (value === "") digest.addBlankLine();
  else if (is("AgentMessage", value)) digest.add(value, position);
  else digest.addBadLine();
}

/** An empty string for a blank line, undefined for an unreadable one. */
function parsed(line: Line): unknown {
  try {
    const text = decodeLine(line);
    return text.trim() === "" ? "" : parseJson(text);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

/** All messages of a foreign file: only its dialect can find them. */
export async function* readWhole(
  file: SessionFile,
  known: SessionState | undefined,
  { name, readForeign }: SessionSource,
): AsyncGenerator<Part, void, undefined> {
  const parts = new Parts(newState(file, name), beforeOf(known), known !== undefined, file.idInHeader);
  const { state } = parts.digest;
  let problem: string | undefined;
  try {
    const messages: AsyncIterable<AgentMessage> = readForeign(file.path, (line, reason) => {
      parts.digest.addBadLine(line);
      problem ??= reason;
    });
    for await (const message of messages) {
      parts.digest.add(message, state.position);
      state.position += 1;
      yield* parts.flushIfFull();
    }
    yield parts.finish(file, problem);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    yield parts.finish(file, error.message);
  }
}

/** The indexed state of an unreadable file stays; it is tried again next time. */
export function unreadable(
  file: SessionFile,
  known: SessionState | undefined,
  source: string,
  problem: string,
): Part {
  const state = known ?? newState(file, source);
  const summary = { ...state.summary, problem };
  return {
    before: beforeOf(known),
    rebuild: false,
    state: { ...state, summary, size: -1, modified: -1 },
    texts: [],
    spent: [],
  };
}
