import type { Dialect, Sample } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { JsonMachine, MAX_DEPTH } from "../core/json/machine.js";
import { isObject } from "../core/json/value.js";
import { type DialectName, registry } from "../dialects/registry.js";
import { isEventStream, streamPayloads } from "../framing/payloads.js";
import { writtenIn } from "./escrow.js";
import type { DocumentFraming } from "./read.js";

export interface Detection {
  dialect: DialectName;
  /** From 0 to 1. */
  confidence: number;
}

/** How much of the start of a file of lines is enough to detect its dialect. */
export const SAMPLE_BYTES = 1024 * 1024;
const SAMPLE_LINES = 50;
/** At least one of this many lines at the start must be whole. */
const DAMAGED_LINES = 5;

/**
 * The dialects an input could be in, most likely first. Looks at the content, never at a file name. Pass a whole JSON
 * document, or at least `SAMPLE_BYTES` of a file of lines.
 */
export async function detect(input: string | Uint8Array): Promise<Detection[]> {
  return detectIn(sampleOf(textOf(input)), await loadAll());
}

function detectIn(sample: Sample, all: readonly Dialect[]): Detection[] {
  const writer = all.find((dialect) => isDeclaredIn(dialect, sample));
  if (writer !== undefined) return [{ dialect: writer.name as DialectName, confidence: 1 }];
  const found: Detection[] = [];
  for (const dialect of all) {
    const confidence = dialect.detect(sample);
    if (confidence > 0) found.push({ dialect: dialect.name as DialectName, confidence });
  }
  return found.sort((a, b) => b.confidence - a.confidence);
}

/** Whether a record's escrow states that it was written in this dialect. */
function isDeclaredIn({ name, framing }: Dialect, { lines, document }: Sample): boolean {
  const records = framing.kind === "document" ? trySplit(framing, document) : lines;
  return records.some((record) => isObject(record) && writtenIn(record) === name);
}

function trySplit({ split }: DocumentFraming, document: unknown): unknown[] {
  try {
    return split(document);
  } catch (error) {
    if (error instanceof DragomanError) return [];
    throw error;
  }
}

/** Without a byte order mark. */
function textOf(input: string | Uint8Array): string {
  return typeof input === "string" ? input.replace(/^\uFEFF/, "") : new TextDecoder().decode(input);
}

/** The dialect of an input. Throws when there is none or more than one candidate. */
export async function detectOne(input: string | Uint8Array): Promise<DialectName> {
  const text = textOf(input);
  const [sample, all] = [sampleOf(text), await loadAll()];
  const [first, second] = detectIn(sample, all);
  if (first === undefined) throw undetected(text, sample, all);
  if (isTie(first, second)) {
    const hint = `pass --from ${first.dialect} or --from ${second.dialect}`;
    const message = `the input could be ${first.dialect} or ${second.dialect}`;
    throw new DragomanError("convert/undetected", message, { hint });
  }
  return first.dialect;
}

/** Whether two dialects are equally likely, so that the user has to choose. */
export function isTie(first: Detection, second: Detection | undefined): second is Detection {
  return second?.confidence === first.confidence;
}

function undetected(text: string, sample: Sample, all: readonly Dialect[]): DragomanError {
  if (text.trim() === "") {
    return new DragomanError("convert/undetected", "the input is empty", { hint: "pass a transcript" });
  }
  const [advice] = all.flatMap((dialect) => dialect.advise?.(sample) ?? []);
  return new DragomanError("convert/undetected", "the input matches no dialect", {
    hint: advice ?? "choose one with --from; `dragoman dialects` lists them",
  });
}

export async function load(name: string): Promise<Dialect> {
  return registry[knownName(name)]();
}

/** Loads a dialect to read files. Throws if it is only written. */
export async function loadReader(name: string): Promise<Dialect> {
  const dialect = await load(name);
  requireReads(dialect);
  return dialect;
}

/** Throws for a dialect that is only written. */
export function requireReads({ name, oneWay }: Dialect): void {
  if (oneWay?.only !== "writes") return;
  throw new DragomanError("convert/one-way", `${name} is only written, not read`, { hint: oneWay.hint });
}

export function knownName(name: string): DialectName {
  if (isKnown(name)) return name;
  throw new DragomanError("convert/unknown-dialect", `unknown dialect "${name}"`, {
    hint: `known dialects: ${Object.keys(registry).join(", ")}`,
  });
}

function isKnown(name: string): name is DialectName {
  return Object.hasOwn(registry, name);
}

/** All dialects, in the order of the registry. */
export async function loadAll(): Promise<Dialect[]> {
  return Promise.all(Object.values(registry).map((open) => open()));
}

/** Tolerates damage: transcripts are often checked because a line is damaged or the end is missing. */
function sampleOf(text: string): Sample {
  if (isEventStream(text)) {
    const events = streamPayloads(text)
      .slice(0, SAMPLE_LINES)
      .map((payload) => tryParse(payload.text));
    return { lines: [], document: undefined, events };
  }
  const { lines, skipped } = linesOf(text);
  if (skipped === 0 && lines.length > 0) return { lines, document: lines.length > 1 ? undefined : lines[0] };
  const whole = tryParse(text);
  if (whole !== undefined) return { lines: isObject(whole) ? [whole] : [], document: whole };
  const spread = multiLineObjects(text);
  if (spread.length > 0) return { lines: spread, document: undefined };
  const machine = new JsonMachine(MAX_DEPTH);
  machine.feed(text);
  // The JSON machine stops within a damaged line, but reads across lines in a damaged document.
  const readable = text.slice(0, machine.offset).split("\n", DAMAGED_LINES).length;
  const isDocument = !machine.failed || readable === DAMAGED_LINES;
  if (!isDocument && lines.length >= skipped) return { lines, document: undefined };
  const document = withoutTornEnd(machine);
  return { lines: text.trim().includes("\n") ? [] : [document], document };
}

/** The records on the first lines. The last line of a sample may be cut off, and any line may be damaged. */
export function linesOf(text: string): { lines: unknown[]; skipped: number } {
  const lines: unknown[] = [];
  let skipped = 0;
  let start = 0;
  while (start < text.length && lines.length < SAMPLE_LINES && skipped < DAMAGED_LINES) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (line === "") continue;
    const value = tryParse(line);
    // A line inside a multi-line document can be a value too, but is rarely an object.
    if (value !== undefined && (skipped === 0 || isObject(value))) lines.push(value);
    else if (lines.length === 0) skipped++;
  }
  return { lines, skipped };
}

/** Objects that span several lines each, one after another. */
function multiLineObjects(text: string): unknown[] {
  const found: unknown[] = [];
  let open: string[] | undefined;
  for (const line of text.slice(0, SAMPLE_BYTES).split("\n")) {
    if (/^\{\s*$/.test(line)) open = [line];
    else if (open === undefined || line === "" || /^\s/.test(line)) open?.push(line);
    else {
      if (line.startsWith("}")) found.push(...[tryParse([...open, "}"].join("\n")) ?? []].flat());
      open = undefined;
    }
  }
  return found.slice(0, SAMPLE_LINES);
}

/** The readable part of a document, without an incomplete last record. */
function withoutTornEnd({ tree }: JsonMachine): unknown {
  const { root } = tree;
  if (!Array.isArray(root)) return root;
  const whole = tree.isOpen(root.at(-1)) ? root.slice(0, -1) : root;
  return whole.length > 0 ? whole : undefined;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
