import { type Decoded, type Dialect, PARENT_KEY } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { type Branch, BranchFinder, type Node } from "./branch-finder.js";
import { placed, recordReader, type SourceRecord } from "./read.js";

/**
 * The path from the root to the leaf (default: the last message). Messages without a parent field are on every branch.
 * A message's place is the index of its record (`Dialect.branches`).
 */
export async function findBranch(
  open: () => AsyncIterable<Uint8Array>,
  dialect: Dialect,
  leaf?: string,
): Promise<Branch> {
  const finder = new BranchFinder(leaf);
  // Most transcripts are not trees and need not be read twice.
  const skip = (line: Uint8Array) => !mentionsParent(line);
  await eachNode(open(), dialect, (node) => finder.add(node), skip);
  if (leaf !== undefined && !finder.hasLeaf) {
    throw new DragomanError("convert/no-leaf", `no message has the id "${leaf}"`, {
      hint: "pass the id of a message in the input",
    });
  }
  if (finder.needsSecondPass) await eachNode(open(), dialect, (node) => finder.revisit(node));
  return finder.finish();
}

async function eachNode(
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  visit: (node: Node) => void,
  skip?: (line: Uint8Array) => boolean,
): Promise<void> {
  const reader = recordReader(dialect.framing, { onBad: () => undefined, ...(skip && { skip }) });
  const visitAll = (records: Iterable<SourceRecord>) => {
    for (const record of records) {
      for (const { message } of decodeAlone(record, dialect)) {
        visit({ place: record.index, id: message.id, parentId: message.parentId });
      }
    }
  };
  for await (const chunk of source) visitAll(reader.push(chunk));
  visitAll(reader.finish());
}

function decodeAlone(record: SourceRecord, dialect: Dialect): Decoded[] {
  try {
    return dialect.decode([record.value]);
  } catch (error) {
    throw placed(error, [record]);
  }
}

const KEY = new TextEncoder().encode(`"${PARENT_KEY}"`);
/** A letter that is rare in most texts, so `indexOf` skips most of the line. */
const CAPITAL_I = 0x49;
const BEFORE_I = KEY.indexOf(CAPITAL_I);

function mentionsParent(line: Uint8Array): boolean {
  for (let at = line.indexOf(CAPITAL_I); at >= 0; at = line.indexOf(CAPITAL_I, at + 1)) {
    if (KEY.every((byte, index) => line[at - BEFORE_I + index] === byte)) return true;
  }
  return false;
}

/** The places of the entries that are not on the path to the last one. */
export function offPath(entries: readonly (Omit<Node, "place"> & { at: string })[]): ReadonlySet<string> {
  const finder = new BranchFinder();
  for (const [place, { id, parentId }] of entries.entries()) finder.add({ place, id, parentId });
  for (const [place, { id, parentId }] of entries.entries()) finder.revisit({ place, id, parentId });
  const { isOff } = finder.finish();
  return new Set(entries.flatMap(({ at }, place) => (isOff(place) ? [at] : [])));
}
