import { isDeepStrictEqual } from "node:util";
import { check } from "../../src/convert/check.js";
import { type Converted, type ConvertOptions, convert } from "../../src/convert/convert.js";
import { detect, load } from "../../src/convert/detect.js";
import { recordReader } from "../../src/convert/read.js";
import { repair } from "../../src/convert/repair.js";
import type { Framing } from "../../src/core/dialect.js";
import { DragomanError, type ErrorCode } from "../../src/core/error.js";
import type { Loss } from "../../src/core/types.js";
import type { Run } from "./inputs.js";
import { writable } from "./sources.js";

/** A law that did not hold. */
export class Broken extends Error {
  readonly law: string;

  constructor(law: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.law = law;
  }
}

/** How reading the input ended: with a result, or with this error code. */
export async function examine(run: Run): Promise<End> {
  const end = await questions[run.question](run);
  const inherited = Object.keys(Object.prototype);
  // Removed again, or the next run would break the law too.
  for (const key of inherited) Reflect.deleteProperty(Object.prototype, key);
  equal("no input changes what every object inherits", inherited, []);
  return end;
}

/**
 * Each run tests one of these: testing all of them on one input takes as long as testing one on as many inputs, which finds
 * more.
 */
const questions = {
  itself: examineItself,
  escrow: examineEscrow,
  other: examineOther,
  repair: examineRepair,
} satisfies Record<string, (run: Run) => Promise<End>>;

export type Question = keyof typeof questions;
export const allQuestions = Object.keys(questions) as Question[];

type End = "result" | ErrorCode;

async function examineItself(run: Run): Promise<End> {
  await must("detect", () => detect(run.input));
  const [plain, same] = [await toOpenclaw(run), await toItself(run)];
  readAlike(plain, same);
  if (plain instanceof DragomanError) return plain.code;
  if (!(same instanceof DragomanError)) {
    await examineSame(run, same, !plain.output.startsWith('{"role":"session"'));
  }
  return "result";
}

async function examineSame({ dialect, input }: Run, same: Converted, isAnswer: boolean): Promise<void> {
  const escrow = hasEscrow(input);
  // Notes on a record refer to the one before it, which can be an added header.
  const isAfterHeader = same.losses.some(isHeader);
  const own = same.losses.filter(
    (loss) => !isHeader(loss) && !(isAfterHeader && loss.what.startsWith(`ext.${dialect}.`)),
  );
  const { framing, kind } = await load(dialect);
  const { losses, isRecording } = read(input, framing);
  // An API's answer is written as a response if possible, otherwise as the request that would follow it.
  const isWritten = kind !== "provider" || !isAnswer;
  if (isWritten && losses.every(isExact)) equal("nothing is lost on the way to itself", own, losses);
  if (framing.kind !== "frames" && !isRecording && !escrow && same.losses.length === losses.length) {
    equalJson("comes back as it was", same.output, decoded(input), framing);
  }
  const write = (text: string) =>
    must("read what was written", () => convert(text, { from: dialect, to: dialect, escrow }));
  const written = same.losses.every(isExact) ? same : await write(same.output);
  const again = await write(written.output);
  equalJson("written the same again", again.output, written.output, framing);
  equal("nothing is lost the second time", again.losses, []);
}

async function examineOther(run: Run): Promise<End> {
  const { dialect, input, other } = run;
  const bare = await may("convert", () => convert(input, { from: dialect, to: other }));
  if (!(bare instanceof DragomanError)) {
    await readBack("read what was written for another", run, bare.output, { from: other, to: "openclaw" });
    return "result";
  }
  const plain = await toOpenclaw(run);
  if (bare.code !== "json/too-deep" && !(plain instanceof DragomanError)) {
    throw new Broken(`convert: ${bare.code}`, bare.message, bare);
  }
  return bare.code;
}

async function examineEscrow(run: Run): Promise<End> {
  const { dialect, input, other } = run;
  const same = await steady(run);
  const there = await may("convert with escrow", () =>
    convert(same instanceof DragomanError ? input : same.output, { from: dialect, to: other, escrow: true }),
  );
  if (same instanceof DragomanError) return same.code;
  readAlike(there, same);
  if (there instanceof DragomanError) return there.code;
  if (!writable.includes(dialect)) return "result";
  const options = { from: other, to: dialect, escrow: true } as const;
  const back = await readBack("read what was written with escrow", run, there.output, options);
  const [{ framing, branches }, target] = [await load(dialect), await load(other)];
  // In a dialect with trees, messages that name other parents are branches; what is off the branch goes to escrow.
  const moves = !branches && target.branches && same.output.includes('"parentId"');
  if (back !== undefined && !moves) {
    equalJson("there and back with escrow", back.output, same.output, framing);
  }
  return "result";
}

/** Undefined if it is too deep for the model; a dialect may still keep what it read. */
async function readBack(law: string, run: Run, text: string, options: ConvertOptions) {
  const end = await may(law, () => convert(text, options));
  if (!(end instanceof DragomanError)) return end;
  if (end.code === "json/too-deep" && (await toOpenclaw(run)) instanceof DragomanError) return undefined;
  throw new Broken(`${law}: ${end.code}`, end.message, end);
}

/** The input as its dialect writes it. */
async function steady(run: Run) {
  const same = await toItself(run);
  if (same instanceof DragomanError || same.losses.every(isExact)) return same;
  return toItself({ ...run, input: new TextEncoder().encode(same.output) });
}

/** A number too large for a double is written as null, which may have another meaning; then that is expected. */
function isExact({ why }: Loss): boolean {
  return why !== "it is stored as the double null";
}

function toOpenclaw({ dialect, input }: Run) {
  return may("convert to openclaw", () => convert(input, { from: dialect, to: "openclaw" }));
}

function toItself({ dialect, input }: Run) {
  const options = { from: dialect, to: dialect, escrow: hasEscrow(input) };
  return may("convert to itself", () => convert(input, options));
}

/** Everything that can be read can be written, unless it is too deep for the target to wrap once more. */
function readAlike(...ends: (Converted | DragomanError)[]): void {
  const codes = new Set(ends.map((end) => (end instanceof DragomanError ? end.code : "a result")));
  codes.delete("json/too-deep");
  if (codes.size > 1) throw new Broken("any target reads alike", [...codes].join(" and "));
}

/** The errors that repair promises to remove. */
const handled =
  /^(json|model|framing|pairing)\/|\/(tool-id|blank-text|empty-message|lone-surrogate)$|^content\/mime-mismatch$|^tree\/missing-parent$/;

const leftOnBranches = /^pairing\/|\/(tool-id|empty-message|blank-text)$|^tree\/missing-parent$/;

async function examineRepair({ dialect, input, provider }: Run): Promise<End> {
  const options = { from: dialect, ...(provider === undefined ? {} : { for: provider }) };
  await must("check", () => check(input, options));
  const repaired = await may("repair", () => repair(input, options));
  if (repaired instanceof DragomanError) return repaired.code;
  const { problems } = await must("check what was repaired", () => check(repaired.output, options));
  const branched = repaired.notes.some(({ code }) => code === "repair/branches");
  // A number that no double can represent is written as null, which may have another meaning.
  if (repaired.notes.some(({ code }) => code === "json/inexact-number")) return "result";
  // A dialect that is only read may be unable to represent a new id or an added result; then repair says so.
  const { oneWay } = await load(dialect);
  const isLost = oneWay?.only === "reads" && repaired.notes.some(({ code }) => code === "repair/lost");
  const left = problems.find(
    ({ code, severity }) =>
      severity === "error" &&
      handled.test(code) &&
      !(branched && leftOnBranches.test(code)) &&
      !(isLost && /^pairing\/unanswered$|\/tool-id$/.test(code)),
  );
  if (left !== undefined) throw new Broken(`repair leaves ${left.code}`, JSON.stringify(left));
  const again = await must("repair what was repaired", () => repair(repaired.output, options));
  equal("repairing again changes nothing", [again.changes, again.unplaced], [[], []]);
  return "result";
}

/** Any failure breaks the law. */
async function must<T>(what: string, action: () => Promise<T>): Promise<T> {
  const end = await may(what, action);
  if (end instanceof DragomanError) throw new Broken(`${what}: ${end.code}`, end.message, end);
  return end;
}

/** Any failure but a `DragomanError` breaks the law. */
async function may<T>(what: string, action: () => Promise<T>): Promise<T | DragomanError> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw new Broken(`${what}: ${error instanceof Error ? error.name : typeof error}`, String(error), error);
  }
}

function equal(law: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Broken(law, `found ${JSON.stringify(found)}\nexpected ${JSON.stringify(expected)}`);
}

/** A missing or incomplete header is added, and reported. */
function isHeader({ what, why, severity }: Loss): boolean {
  return severity === "synthesised" && (what === "a session message" || why.startsWith("a header "));
}

/** What reading alone loses, and whether the input is a recorded stream, whose records are not in its text. */
function read(input: Uint8Array, framing: Framing): { losses: Loss[]; isRecording: boolean } {
  const losses: Loss[] = [];
  const reader = recordReader(framing, { onLoss: (loss) => losses.push(loss) });
  const records = [...reader.push(input), ...reader.finish()];
  return { losses, isRecording: framing.kind === "document" && records.some(({ text }) => text === "") };
}

/** Equal as the JSON that a program without big numbers can write. */
function equalJson(law: string, found: string, expected: string, { kind }: Framing): void {
  if (found !== expected) equal(law, jsonOf(found, kind), jsonOf(expected, kind));
}

function jsonOf(text: string, framing: Framing["kind"]): unknown {
  if (framing === "document") return plain(text);
  return text
    .replace(/^\{[\t \r]*\n(?:[\t \r][^\n]*\n|\n)*?\}[\t \r]*$/gm, (spread) => spread.replaceAll("\n", " "))
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(plain);
}

function plain(text: string): unknown {
  return JSON.parse(JSON.stringify(JSON.parse(text)));
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function hasEscrow(bytes: Uint8Array): boolean {
  return decoded(bytes).includes('"x-dragoman"');
}
