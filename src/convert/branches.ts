import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { recordReader, type SourceRecord } from "./read.js";

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
  const reader = recordReader(dialect.framing, { onBad: () => undefined });
  const entries: Entry[] = [];
  const take = (records: readonly SourceRecord[]) => {
    for (const record of records) {
      // Most transcripts are not trees; their lines need not be decoded twice.
      if (!record.text.includes('"parentId"')) continue;
      for (const { message } of dialect.decode([record.value])) {
        if (message.parentId !== undefined)
          entries.push({ at: record.at, id: message.id, parentId: message.parentId });
      }
    }
  };
  for await (const chunk of source) take(reader.push(chunk));
  take(reader.finish());
  return offPath(entries, leaf);
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
