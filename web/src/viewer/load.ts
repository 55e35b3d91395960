import {
  detectOne,
  type DialectName,
  loadDialect,
  type ReadMessage,
  readMessages,
  type UnreadText,
} from "dragoman/convert";
import { DragomanError } from "dragoman/core";
import { inSlices, type SliceOptions } from "./slices.js";

/** A transcript with everything that could be read of it. */
export interface Loaded {
  dialect: DialectName;
  title: string;
  /** Whether messages of this dialect say which one they follow. */
  branches: boolean;
  /** In the order of the file. */
  entries: ReadMessage[];
  unread: UnreadText[];
}

/** Reads a transcript piece by piece. Throws a `DragomanError` if nothing of it can be read. */
export async function loadTranscript(
  bytes: Uint8Array,
  from: DialectName | undefined,
  slices: SliceOptions,
): Promise<Loaded> {
  const name = from ?? (await detectOne(bytes));
  const dialect = await loadDialect(name);
  const entries: ReadMessage[] = [];
  const unread: UnreadText[] = [];
  const source = inSlices(bytes, slices);
  for await (const some of readMessages(source, { from: dialect, onUnread: (one) => unread.push(one) })) {
    for (const entry of some) entries.push(entry);
    await slices.pauseIfLong?.();
  }
  const [first] = unread;
  if (entries.length === 0 && first !== undefined) throw first.error;
  return { dialect: name, title: dialect.title, branches: dialect.branches, entries, unread };
}
