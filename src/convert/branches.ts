import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { textSearch } from "../framing/contains-text.js";
import { type Branch, BranchFinder, type Node } from "./branch-finder.js";
import { type DecodeOptions, MessageDecoder, type SourceMessage } from "./decode.js";
import { leafRoleOf } from "./leaf.js";
import { recordReader } from "./read.js";

/**
 * The path from the root to the leaf (default: the one that the messages define). Messages without a parent field are on
 * every branch. A message's place is the index of the record in which it begins. `onMessage` is called with each message that
 * has to be read for this, as `Dialect.skim` reads it: those of all lines, unless the dialect has a `parentKey`.
 */
export async function findBranch(
  open: () => AsyncIterable<Uint8Array>,
  dialect: Dialect,
  leaf?: string,
  onMessage: (message: SourceMessage) => void = () => undefined,
): Promise<Branch> {
  const { parentKey } = dialect;
  const skip = parentKey === undefined ? undefined : linesWithout(parentKey);
  const finder = new BranchFinder(leaf, skip !== undefined);
  const add = (message: SourceMessage) => {
    onMessage(message);
    finder.add(nodeOf(message, dialect));
  };
  await eachMessage(open(), dialect, add, { skip, skims: true });
  if (leaf !== undefined && !finder.hasLeaf) {
    throw new DragomanError("convert/no-leaf", `no message has the id "${leaf}"`, {
      hint: "pass the id of a message in the input",
    });
  }
  if (finder.needsSecondPass) {
    await eachMessage(open(), dialect, (message) => finder.revisit(nodeOf(message, dialect)), {
      skims: true,
    });
  }
  return finder.finish();
}

/** Calls `visit` with the messages of a source. Bad lines are skipped: the next pass reports them. */
export async function eachMessage(
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  visit: (message: SourceMessage) => void,
  { skip, ...options }: { skip?: ((line: Uint8Array) => boolean) | undefined } & DecodeOptions = {},
): Promise<void> {
  const reader = recordReader(dialect.framing, { onBad: () => undefined, ...(skip && { skip }) });
  const decoder = new MessageDecoder(dialect, options);
  const visitAll = (messages: readonly SourceMessage[]) => {
    for (const message of messages) visit(message);
  };
  for await (const chunk of source) {
    for (const record of reader.push(chunk)) visitAll(decoder.push(record));
  }
  for (const record of reader.finish()) visitAll(decoder.push(record));
  visitAll(decoder.finish());
}

function nodeOf({ message, origin }: SourceMessage, dialect: Dialect): Node {
  const { id, parentId } = message;
  return { place: origin?.index ?? Number.NaN, id, parentId, leafRole: leafRoleOf(message, dialect) };
}

/** Finds lines that do not contain a key. Most transcripts are not trees and need not be parsed to find that out. */
export function linesWithout(key: string): (line: Uint8Array) => boolean {
  const isIn = textSearch(`"${key}"`);
  return (line) => !isIn(line);
}

/** The places of the entries that are not on the active branch. */
export function offPath(entries: readonly (Omit<Node, "place"> & { at: string })[]): ReadonlySet<string> {
  const finder = new BranchFinder();
  for (const [place, { at: _, ...node }] of entries.entries()) finder.add({ place, ...node });
  for (const [place, { at: _, ...node }] of entries.entries()) finder.revisit({ place, ...node });
  const { isOff } = finder.finish();
  return new Set(
    entries.flatMap(({ at, parentId }, place) => (parentId !== undefined && isOff(place) ? [at] : [])),
  );
}
