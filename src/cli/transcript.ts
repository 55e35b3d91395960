import { DAMAGED_LINES, detectOne, load, SAMPLE_BYTES } from "../convert/detect.js";
import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import { joinBytes } from "../framing/bytes.js";
import { type Input, openInput, peek } from "./files/input.js";

export interface Transcript {
  input: Input;
  dialect: Dialect;
}

/** A file of the dialect the user names, or of the one it looks like. */
export async function openTranscript(path: string, from: string | undefined): Promise<Transcript> {
  const named = from === undefined ? undefined : await load(from);
  const input = await openInput(path);
  if (named !== undefined) return { input, dialect: named };
  const { sample, input: untouched } = await sampled(input);
  return { input: untouched, dialect: await load(await detectOne(sample)) };
}

/** As much of an input as is needed to know its dialect: the beginning of a file of lines, all of a document. */
export async function sampled(input: Input): Promise<{ sample: Uint8Array; input: Input }> {
  let bytes = 0;
  let lines: boolean | undefined;
  const peeked = await peek(input, (head) => {
    const last = head.at(-1);
    if (last === undefined) return false;
    bytes += last.length;
    if (lines === undefined && last.includes(LF)) lines = holdsRecords(joinBytes(head));
    if (bytes > LARGEST_DOCUMENT && lines !== true) throw tooLarge();
    return bytes >= SAMPLE_BYTES && lines === true;
  });
  return { sample: joinBytes(peeked.head), input: peeked.input };
}

const LF = 0x0a;
const LARGEST_DOCUMENT = 256 * 1024 * 1024;

/** Whether one of the first lines is an object, however damaged the others are. Undefined while no line has ended. */
function holdsRecords(bytes: Uint8Array): boolean | undefined {
  const text = new TextDecoder().decode(bytes).trimStart();
  const end = text.lastIndexOf("\n");
  return end < 0 ? undefined : text.slice(0, end).split("\n", DAMAGED_LINES).some(isRecord);
}

function isRecord(line: string): boolean {
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}

function tooLarge(): DragomanError {
  return new DragomanError("convert/undetected", "the input is one huge value, too large to look through", {
    hint: "say what it is with --from; `dragoman dialects` lists the names",
  });
}
