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

/** A law that did not hold. */
export class Broken extends Error {
  readonly law: string;

  constructor(law: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.law = law;
  }
}

/** Does everything that can be done with an input. How reading it ended: in a result, or with an error of that code. */
export async function examine(run: Run): Promise<"result" | ErrorCode> {
  const end = await examineAll(run);
  const inherited = Object.keys(Object.prototype);
  // Removed again, or whatever is tried next would break the law too.
  for (const key of inherited) Reflect.deleteProperty(Object.prototype, key);
  equal("no input changes what every object inherits", inherited, []);
  return end;
}

async function examineAll(run: Run): Promise<"result" | ErrorCode> {
  const { dialect, input, other } = run;
  await must("detect", () => detect(input));
  await examineRepair(run);
  const plain = await may("convert to openclaw", () => convert(input, { from: dialect, to: "openclaw" }));
  const escrow = hasEscrow(input);
  const same = await may(`convert to itself`, () => convert(input, { from: dialect, to: dialect, escrow }));
  if (plain instanceof DragomanError || same instanceof DragomanError) {
    const [first, second] = [plain, same].map((end) =>
      end instanceof DragomanError ? end.code : "a result",
    );
    if (first !== second && first !== "json/too-deep" && second !== "json/too-deep")
      throw new Broken("any target reads alike", `${first} for openclaw, ${second} for itself`);
    await may(`convert with escrow`, () => convert(input, { from: dialect, to: other, escrow: true }));
    return plain instanceof DragomanError ? plain.code : "result";
  }
  await examineSame(run, same, { escrow, isAnswer: !plain.output.startsWith('{"role":"session"') });
  await examineOther(run, same.output);
  return "result";
}

async function examineSame(
  { dialect, input }: Run,
  same: Converted,
  { escrow, isAnswer }: { escrow: boolean; isAnswer: boolean },
): Promise<void> {
  const own = same.losses.filter((loss) => !isHeader(loss));
  const { framing, kind } = await load(dialect);
  const { losses, isRecording } = read(input, framing);
  // An answer of an API is written as a response if that can say it, and else as the request that would follow it.
  const isWritten = kind !== "provider" || !isAnswer;
  // A number too large for a double is written as null, which may mean something else.
  const hasNumbers = losses.every(({ why }) => why !== "a double holds it as null");
  if (isWritten && hasNumbers) equal("nothing is lost on the way to itself", own, losses);
  if (framing.kind !== "frames" && !isRecording && !escrow && same.losses.length === losses.length) {
    equalJson("comes back as it was", same.output, decoded(input), framing);
  }
  const again = await must("read what was written", () =>
    convert(same.output, { from: dialect, to: dialect, escrow }),
  );
  equalJson("written the same again", again.output, same.output, framing);
  equal("nothing is lost the second time", again.losses, []);
}

async function examineOther(run: Run, source: string): Promise<void> {
  const { dialect, input, other } = run;
  await examineEscrow(run, source);
  const bare = await written("convert", input, { from: dialect, to: other });
  if (bare === undefined) return;
  await must("read what was written for another", () => convert(bare, { from: other, to: "openclaw" }));
}

async function examineEscrow({ dialect, other }: Run, source: string): Promise<void> {
  const there = await written("convert with escrow", source, { from: dialect, to: other, escrow: true });
  if (there === undefined) return;
  const options = { from: other, to: dialect, escrow: true } as const;
  const back = await must("read what was written with escrow", () => convert(there, options));
  const [{ framing, branches }, target] = [await load(dialect), await load(other)];
  // Messages in a line that name other parents are a tree to a dialect with trees: what is off the branch moves into escrow.
  if (!branches && target.branches && source.includes('"parentId"')) return;
  equalJson("there and back with escrow", back.output, source, framing);
}

/** What can be read can be written, unless it is nested so deep that the target cannot wrap it once more. */
async function written(what: string, input: string | Uint8Array, options: ConvertOptions) {
  const end = await may(what, () => convert(input, options));
  if (!(end instanceof DragomanError)) return end.output;
  if (end.code === "json/too-deep") return undefined;
  throw new Broken(`${what}: ${end.code}`, end.message, end);
}

/** The errors that repair promises to remove. */
const handled =
  /^(json|model|framing|pairing)\/|\/(tool-id|blank-text|empty-message|lone-surrogate)$|^content\/mime-mismatch$|^tree\/missing-parent$/;

const leftOnBranches = /^pairing\/|\/(tool-id|empty-message|blank-text)$|^tree\/missing-parent$/;

async function examineRepair({ dialect, input, provider }: Run): Promise<void> {
  const options = { from: dialect, ...(provider === undefined ? {} : { for: provider }) };
  await must("check", () => check(input, options));
  const repaired = await may("repair", () => repair(input, options));
  if (repaired instanceof DragomanError) return;
  const { problems } = await must("check what was repaired", () => check(repaired.output, options));
  const branched = repaired.notes.some(({ code }) => code === "repair/branches");
  // What a double cannot hold is written as null, which may mean something else.
  if (repaired.notes.some(({ code }) => code === "json/inexact-number")) return;
  const left = problems.find(
    ({ code, severity }) =>
      severity === "error" && handled.test(code) && !(branched && leftOnBranches.test(code)),
  );
  if (left !== undefined) throw new Broken(`repair leaves ${left.code}`, JSON.stringify(left));
  const again = await must("repair what was repaired", () => repair(repaired.output, options));
  equal("repairing again changes nothing", [again.changes, again.unplaced], [[], []]);
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

/** A file without the header that its format requires, or without what must stand in it, is given that, and it is said. */
function isHeader({ what, why, severity }: Loss): boolean {
  return severity === "synthesised" && (what === "a session message" || why.startsWith("a header "));
}

/** What reading alone loses, and whether it reads a recorded stream, whose records stand in no text. */
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
