import type { Decoded, Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { placed, recordReader, type SourceRecord } from "./read.js";

interface Entry {
  at: string;
  id: string | undefined;
  parentId: string | null;
}

/**
 * The places of the messages that are not on the way from the root to the leaf: the last message, unless another is
 * asked for. Messages that do not say what they follow are on every branch. Units of a dialect with branches are single
 * records, so each can be looked at alone.
 */
export async function otherBranches(
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  leaf?: string,
): Promise<ReadonlySet<string>> {
  // Most transcripts are not trees; their lines need not be read twice.
  const skip = (line: Uint8Array) => !mentionsParent(line);
  const reader = recordReader(dialect.framing, { onBad: () => undefined, skip });
  const entries: Entry[] = [];
  const take = (records: readonly SourceRecord[]) => {
    for (const record of records) {
      for (const { message } of decodeAlone(record, dialect)) {
        if (message.parentId !== undefined)
          entries.push({ at: record.at, id: message.id, parentId: message.parentId });
      }
    }
  };
  for await (const chunk of source) take(reader.push(chunk));
  take(reader.finish());
  return offPath(entries, leaf);
}

function decodeAlone(record: SourceRecord, dialect: Dialect): Decoded[] {
  try {
    return dialect.decode([record.value]);
  } catch (error) {
    throw placed(error, [record]);
  }
}

const KEY = new TextEncoder().encode('"parentId"');
/** A letter that is rare in most texts, so that the search goes by leaps. */
const CAPITAL_I = 0x49;
const BEFORE_I = KEY.indexOf(CAPITAL_I);

function mentionsParent(line: Uint8Array): boolean {
  for (let at = line.indexOf(CAPITAL_I); at >= 0; at = line.indexOf(CAPITAL_I, at + 1)) {
    if (KEY.every((byte, index) => line[at - BEFORE_I + index] === byte)) return true;
  }
  return false;
}

/** The places of the entries that are not on the way to the leaf. */
export function offPath(entries: readonly Entry[], leaf: string | undefined): ReadonlySet<string> {
  const byId = new Map(
    entries.flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry] as const])),
  );
  let next = leaf === undefined ? entries.at(-1) : byId.get(leaf);
  if (leaf !== undefined && next === undefined) {
    throw new DragomanError("convert/no-leaf", `there is no message with the id "${leaf}"`, {
      hint: "give the id of a message in the input",
    });
  }
  const path = new Set<Entry>();
  while (next !== undefined && !path.has(next)) {
    path.add(next);
    next = next.parentId === null ? undefined : byId.get(next.parentId);
  }
  return new Set(entries.filter((entry) => !path.has(entry)).map(({ at }) => at));
}
