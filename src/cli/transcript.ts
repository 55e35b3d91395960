import { detectOne, linesOf, load, SAMPLE_BYTES } from "../convert/detect.js";
import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import { joinBytes } from "../framing/bytes.js";
import { joinSession } from "../runtime/companions/companions.js";
import { type Input, openInput, peek } from "./files/input.js";

export interface Transcript {
  input: Input;
  dialect: Dialect;
}

/** Opens a file with the given dialect, or the detected one. */
export async function openTranscript(path: string, from: string | undefined): Promise<Transcript> {
  const named = from === undefined ? undefined : await load(from);
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
  return joined === undefined ? transcript : { dialect, input: { ...input, ...joined } };
}

/** As much of an input as detection needs: the start of a file of lines, all of a document. */
export async function sampleInput(input: Input): Promise<{ sample: Uint8Array; input: Input }> {
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

/** Whether one of the first lines is an object, even if others are damaged. Undefined before the first line break. */
function holdsRecords(bytes: Uint8Array): boolean | undefined {
  const text = new TextDecoder().decode(bytes).trimStart();
  return text.includes("\n") ? linesOf(text).lines.some(isObject) : undefined;
}

function tooLarge(): DragomanError {
  return new DragomanError("convert/undetected", "the input is a single value too large to inspect", {
    hint: "name its dialect with --from; `dragoman dialects` lists them",
  });
}
