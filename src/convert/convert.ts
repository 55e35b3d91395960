import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import type { Loss } from "../core/types.js";
import type { DialectName } from "../dialects/registry.js";
import { Utf8Batch } from "../framing/utf8.js";
import type { Guess } from "./branch-finder.js";
import { detectOne, load, requireReads } from "./detect.js";
import { bytesOf } from "./input.js";
import type { Pipe, PipeOptions } from "./pipe.js";
import type { TextStart } from "./read.js";

export interface ConvertOptions {
  to: DialectName;
  /** Default: detected. */
  from?: DialectName;
  /** Carry unsupported data in an extra field, so that converting back restores the source. */
  escrow?: boolean;
  /** For a source with branches and a target without: the last message of the branch to use. */
  leaf?: string;
  /** For a source with several conversations: the one to convert, by id, title or number (from 1). */
  conversation?: string;
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
  const whole = bytesOf(input);
  const from = options.from ?? (await detectOne(whole));
  const [source, target] = [await load(from), await load(options.to)];
  const { bytes, start } = await conversationOf(whole, source, options.conversation);
  const losses: Loss[] = [];
  const texts: string[] = [];
  const open = async function* () {
    yield bytes;
  };
  const pipe = await openPipe(open, {
    ...options,
    from: source,
    to: target,
    start,
    onText: (text) => texts.push(text),
    onLoss: (loss) => losses.push(loss),
  });
  pipe.push(bytes);
  pipe.finish();
  return { output: texts.join(""), from, losses };
}

/**
 * Throws for a dialect that is only read. A transcript can still be written in its own dialect. Throws for escrow in a
 * dialect that is only written: escrow is for converting back.
 */
export function requireWrites({ name, oneWay }: Dialect, from: Dialect, escrow = false): void {
  if (oneWay?.only === "writes" && escrow) {
    throw new DragomanError("convert/one-way", `${name} cannot carry escrow, because it is never read back`, {
      hint: "convert without escrow; the losses list what the output does not contain",
    });
  }
  if (oneWay?.only !== "reads" || name === from.name) return;
  throw new DragomanError("convert/one-way", `${name} is only read, not written`, { hint: oneWay.hint });
}

/** The bytes of one conversation, and where they start in the input; all of an input that holds only one. */
async function conversationOf(
  bytes: Uint8Array,
  from: Dialect,
  wanted: string | undefined,
): Promise<{ bytes: Uint8Array; start: TextStart | undefined }> {
  if (!holdsConversations(from) && wanted === undefined) return { bytes, start: undefined };
  const { cutConversation } = await import("./conversations.js");
  return cutConversation(bytes, from, wanted);
}

/** Whether the dialect's files can hold several conversations. */
export function holdsConversations({ framing }: Dialect): boolean {
  return framing.kind === "document" && framing.conversation !== undefined;
}

export interface StreamOptions extends Omit<PipeOptions, "onText" | "branch" | "rolledBack" | "kept"> {
  leaf?: string;
}

/**
 * The same for inputs of any size. `open` returns the bytes; it is called twice when `readsTwice` is true.
 * Between line dialects, memory use does not depend on the size. Returns the number of messages, without the session.
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

/** Whether something that later messages decide must be found first, which needs a pass over all of the source. */
export function readsTwice(options: Pick<StreamOptions, "from" | "to" | "leaf">): boolean {
  return needsRollback(options) || needsBranch(options) || needsKept(options);
}

type Ends = Pick<StreamOptions, "from" | "to" | "leaf">;

function needsRollback({ from, to }: Ends): boolean {
  return from.rollback !== undefined && from !== to;
}

function needsBranch({ from, to, leaf }: Ends): boolean {
  return from.branches && (!to.branches || leaf !== undefined);
}

function needsKept({ to }: Ends): boolean {
  return to.compactsToHistory !== undefined;
}

/** A pipe that leaves out the other branches and the turns that were taken back, and knows the messages that are kept. */
export async function openPipe(
  open: () => AsyncIterable<Uint8Array>,
  options: StreamOptions & Pick<PipeOptions, "onText">,
): Promise<Pipe> {
  requireReads(options.from);
  requireWrites(options.to, options.from, options.escrow);
  // Loaded on first use, so that importing the package stays cheap.
  const { Pipe } = await import("./pipe.js");
  return new Pipe({ ...options, ...(await findFirst(open, options)) });
}

/** What a first pass over the source finds. */
async function findFirst(
  open: () => AsyncIterable<Uint8Array>,
  options: StreamOptions,
): Promise<Pick<PipeOptions, "branch" | "rolledBack" | "kept">> {
  const found: Pick<PipeOptions, "branch" | "rolledBack" | "kept"> = {};
  const { from, leaf, escrow, onLoss } = options;
  // Unknown unless every line is read to find the branch.
  let hasCompaction = !needsBranch(options) || from.parentKey !== undefined;
  if (from.rollback !== undefined && needsRollback(options)) {
    const { findRolledBack } = await import("./rollback.js");
    found.rolledBack = await findRolledBack(open, from, from.rollback);
  }
  if (needsBranch(options)) {
    const { findBranch } = await import("./branches.js");
    const branch = await findBranch(open, from, leaf, ({ message }) => {
      if (message.role === "compaction") hasCompaction = true;
    });
    if (escrow !== true) for (const guess of branch.guesses) onLoss?.(guessed(guess));
    found.branch = branch;
  }
  if (needsKept(options) && hasCompaction) {
    const { findKept } = await import("./kept.js");
    found.kept = await findKept(open, options, found.branch);
  }
  return found;
}

const reasons = {
  missing: "no message has this id, so it was linked to the message before it",
  circle: "it leads in a circle, so it was linked to the message before it",
};

function guessed({ place, parentId, why }: Guess): Loss {
  const what = `parentId (${JSON.stringify(parentId)})`;
  return { at: `/${place}`, what, why: reasons[why], severity: "approximated" };
}
