import type { Dialect, Sample } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { type DialectName, registry } from "../dialects/registry.js";
import { isEventStream, streamPayloads } from "../framing/payloads.js";

export interface Detection {
  dialect: DialectName;
  /** From 0 to 1. */
  confidence: number;
}

/** How much of the beginning of a file of lines is enough to know it by. */
export const SAMPLE_BYTES = 1024 * 1024;
const SAMPLE_LINES = 50;

/**
 * Which dialects an input could be in, the likeliest first. It looks at the content, never at a name. Give it the
 * whole of a JSON document, or at least `SAMPLE_BYTES` of a file of lines.
 */
export async function detect(input: string | Uint8Array): Promise<Detection[]> {
  const sample = sampleOf(typeof input === "string" ? input : new TextDecoder().decode(input));
  const found: Detection[] = [];
  for (const dialect of await loadAll()) {
    const confidence = dialect.detect(sample);
    if (confidence > 0) found.push({ dialect: dialect.name as DialectName, confidence });
  }
  return found.sort((a, b) => b.confidence - a.confidence);
}

/** The dialect of an input, or an error that says why it cannot be told. */
export async function detectOne(input: string | Uint8Array): Promise<DialectName> {
  const [first, second] = await detect(input);
  if (first === undefined) {
    const empty = input.length === 0 || (typeof input === "string" && input.trim() === "");
    throw new DragomanError(
      "convert/undetected",
      empty ? "the input is empty" : "no dialect fits the input",
      {
        hint: empty ? "give a transcript" : "name one with --from; `dragoman dialects` lists them",
      },
    );
  }
  if (second !== undefined && second.confidence === first.confidence) {
    throw new DragomanError(
      "convert/undetected",
      `the input could be ${first.dialect} or ${second.dialect}`,
      { hint: `say which with --from ${first.dialect} or --from ${second.dialect}` },
    );
  }
  return first.dialect;
}

/** The dialect of that name. */
export async function load(name: string): Promise<Dialect> {
  return registry[knownName(name)]();
}

/** The same name, if it is one. */
export function knownName(name: string): DialectName {
  if (isKnown(name)) return name;
  throw new DragomanError("convert/unknown-dialect", `there is no dialect "${name}"`, {
    hint: `there are ${Object.keys(registry).join(", ")}`,
  });
}

function isKnown(name: string): name is DialectName {
  return Object.hasOwn(registry, name);
}

/** All dialects, in the order of the registry. */
export async function loadAll(): Promise<Dialect[]> {
  return Promise.all(Object.values(registry).map((open) => open()));
}

function sampleOf(text: string): Sample {
  if (isEventStream(text)) {
    const events = streamPayloads(text)
      .slice(0, SAMPLE_LINES)
      .map((payload) => tryParse(payload.text));
    return { lines: [], document: undefined, events };
  }
  const lines: unknown[] = [];
  let start = 0;
  while (start < text.length && lines.length < SAMPLE_LINES) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (line === "") continue;
    const value = tryParse(line);
    // The last line of a sample may be cut, and any line may be damaged; the first one decides what this is.
    if (value !== undefined) lines.push(value);
    else if (lines.length === 0) break;
  }
  const document = lines.length > 1 ? undefined : (lines[0] ?? tryParse(text));
  return { lines, document };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
