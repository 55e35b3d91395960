import type { Loss } from "../core/types.js";
import type { DialectName } from "../dialects/registry.js";
import { Utf8Batch } from "../framing/utf8.js";
import type { Guess } from "./branch-finder.js";
import { detectOne, load } from "./detect.js";
import { bytesOf } from "./input.js";
import type { Pipe, PipeOptions } from "./pipe.js";

export interface ConvertOptions {
  to: DialectName;
  /** Default: detected. */
  from?: DialectName;
  /** Carry unsupported data in an extra field, so that converting back restores the source. */
  escrow?: boolean;
  /** For a source with branches and a target without: the last message of the branch to use. */
  leaf?: string;
}

export interface Converted {
  output: string;
  from: DialectName;
  losses: Loss[];
}

/**
 * Converts a transcript from one dialect to another.
 *
 * @example
 * const { output, losses } = await convert(text, { to: "cline" });
 */
export async function convert(input: string | Uint8Array, options: ConvertOptions): Promise<Converted> {
  const bytes = bytesOf(input);
  const from = options.from ?? (await detectOne(bytes));
  const losses: Loss[] = [];
  const texts: string[] = [];
  const source = async function* () {
    yield bytes;
  };
  const pipe = await openPipe(source, {
    ...options,
    from: await load(from),
    to: await load(options.to),
    onText: (text) => texts.push(text),
    onLoss: (loss) => losses.push(loss),
  });
  pipe.push(bytes);
  pipe.finish();
  return { output: texts.join(""), from, losses };
}

export interface StreamOptions extends Omit<PipeOptions, "onText" | "branch"> {
  leaf?: string;
}

/**
 * The same for inputs of any size. `open` returns the bytes; it is called twice when `readsTwice` is true.
 * Between line dialects, memory use does not depend on the size. Returns the number of messages.
 */
export async function* convertStream(
  open: () => AsyncIterable<Uint8Array>,
  options: StreamOptions,
): AsyncGenerator<Uint8Array, number> {
  const output = new Utf8Batch();
  const pipe = await openPipe(open, { ...options, onText: (text) => output.push(text) });
  for await (const chunk of open()) {
    pipe.push(chunk);
    const bytes = output.flush();
    if (bytes.length > 0) yield bytes;
  }
  pipe.finish();
  yield output.flush();
  return pipe.messages;
}

/** Converts without keeping the output, to learn the losses. Returns the number of messages. */
export async function convertDry(
  open: () => AsyncIterable<Uint8Array>,
  options: StreamOptions,
): Promise<number> {
  const pieces = convertStream(open, options);
  for (;;) {
    const { value, done } = await pieces.next();
    if (done === true) return value;
  }
}

/** Whether one branch must be picked out of the source, which needs a first pass over all of it. */
export function readsTwice({ from, to, leaf }: Pick<StreamOptions, "from" | "to" | "leaf">): boolean {
  return from.branches && (!to.branches || leaf !== undefined);
}

/** A pipe that leaves out the other branches. */
export async function openPipe(
  open: () => AsyncIterable<Uint8Array>,
  options: StreamOptions & Pick<PipeOptions, "onText">,
): Promise<Pipe> {
  // Loaded on first use, so that importing the package stays cheap.
  const { Pipe } = await import("./pipe.js");
  if (!readsTwice(options)) return new Pipe(options);
  const { findBranch } = await import("./branches.js");
  const branch = await findBranch(open, options.from, options.leaf);
  if (options.escrow !== true) for (const guess of branch.guesses) options.onLoss?.(guessed(guess));
  return new Pipe({ ...options, branch });
}

const reasons = {
  missing: "no message has this id, so it was linked to the message before it",
  circle: "it leads in a circle, so it was linked to the message before it",
};

function guessed({ place, parentId, why }: Guess): Loss {
  const what = `parentId (${JSON.stringify(parentId)})`;
  return { at: `/${place}`, what, why: reasons[why], severity: "approximated" };
}
