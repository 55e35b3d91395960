import { holdsConversations } from "../convert/convert.js";
import { detectOne, linesOf, load, loadAll, loadReader, SAMPLE_BYTES } from "../convert/detect.js";
import type { TextStart } from "../convert/read.js";
import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import { ArraySplitter } from "../framing/array-splitter.js";
import { joinBytes } from "../framing/bytes.js";
import { joinSession } from "../runtime/companions/companions.js";
import { type Input, openInput, peek } from "./files/input.js";

export interface Transcript {
  input: Input;
  dialect: Dialect;
  /** Where the input starts in its file, if it is one of several conversations. */
  start?: TextStart | undefined;
}

/** Opens a file, or one of its conversations, with the given dialect, or the detected one. */
export async function openTranscript(
  path: string,
  from: string | undefined,
  conversation?: string,
): Promise<Transcript> {
  const transcript = await openFile(path, from);
  if (!holdsConversations(transcript.dialect) && conversation === undefined) return transcript;
  const { pickConversation } = await import("./conversations.js");
  return pickConversation(transcript, conversation);
}

/** The same for the whole file, however many conversations it holds. */
export async function openFile(path: string, from: string | undefined): Promise<Transcript> {
  const named = from === undefined ? undefined : await loadReader(from);
  const input = await openInput(path);
  if (named !== undefined) return { input, dialect: named };
  const { sample, input: untouched } = await sampleInput(input);
  return { input: untouched, dialect: await load(await detectOne(sample)) };
}

/** The same transcript with the other files of its session, if it has any. */
export async function joinTranscript(transcript: Transcript): Promise<Transcript> {
  const { input, dialect } = transcript;
  if (input.path === undefined || !input.rereadable) return transcript;
  const joined = await joinSession(input.path, dialect.name);
  return joined === undefined ? transcript : { ...transcript, input: { ...input, ...joined } };
}

/** As much of an input as detection needs: the start of a file of lines or of conversations, all of a document. */
export async function sampleInput(input: Input): Promise<{ sample: Uint8Array; input: Input }> {
  let bytes = 0;
  let lines: boolean | undefined;
  const first = new FirstConversation((await loadAll()).filter(holdsConversations));
  const peeked = await peek(input, (head) => {
    const last = head.at(-1);
    if (last === undefined) return false;
    bytes += last.length;
    if (lines === undefined && last.includes(LF)) lines = holdsRecords(joinBytes(head));
    if (bytes > LARGEST_DOCUMENT && lines !== true) throw tooLarge();
    if (lines !== true) first.push(last);
    return bytes >= SAMPLE_BYTES && (lines === true || first.sample !== undefined);
  });
  return { sample: first.sample ?? joinBytes(peeked.head), input: peeked.input };
}

const LF = 0x0a;
const LARGEST_DOCUMENT = 256 * 1024 * 1024;

/** Whether one of the first lines is an object, even if others are damaged. Undefined before the first line break. */
function holdsRecords(bytes: Uint8Array): boolean | undefined {
  const text = new TextDecoder().decode(bytes).trimStart();
  return text.includes("\n") ? linesOf(text).lines.some(isObject) : undefined;
}

/** Finds the first member of an array of conversations: an export can be too large to inspect as a whole. */
class FirstConversation {
  readonly #dialects: readonly Dialect[];
  #splitter: ArraySplitter | undefined = new ArraySplitter();
  #isFirst = true;
  /** An array with only that member. */
  sample: Uint8Array | undefined;

  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
  }

  push(chunk: Uint8Array): void {
    if (this.#isFirst && !/^\s*\[/.test(new TextDecoder().decode(chunk.subarray(0, 64)))) {
      this.#splitter = undefined;
    }
    this.#isFirst = false;
    const member = this.#firstMember(chunk);
    if (member === undefined) return;
    this.#splitter = undefined;
    const text = `[${new TextDecoder().decode(member)}]`;
    const document = parsed(text);
    const isKnown = this.#dialects.some((dialect) => dialect.detect({ lines: [], document }) > 0);
    if (isKnown) this.sample = new TextEncoder().encode(text);
  }

  #firstMember(chunk: Uint8Array): Uint8Array | undefined {
    try {
      return this.#splitter?.push(chunk)[0]?.bytes;
    } catch (error) {
      // A damaged array is inspected like any other document.
      if (!(error instanceof DragomanError)) throw error;
      this.#splitter = undefined;
      return undefined;
    }
  }
}

/** Undefined if it is not JSON, which no dialect recognises. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tooLarge(): DragomanError {
  return new DragomanError("convert/undetected", "the input is a single value too large to inspect", {
    hint: "name its dialect with --from; `dragoman dialects` lists them",
  });
}
