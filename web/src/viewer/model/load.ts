import { detectOne, loadDialect, type ReadMessage, readMessages, type UnreadText } from "dragoman/convert";
import { type Breathe, inSlices } from "./slices.js";

/** A transcript with everything that could be read of it. */
export interface Loaded {
  dialect: string;
  title: string;
  /** Whether messages of this dialect say which one they follow. */
  branches: boolean;
  /** In the order of the file. */
  entries: ReadMessage[];
  unread: UnreadText[];
}

/** Reads a transcript piece by piece. Throws a `DragomanError` if there is nothing in it that can be read. */
export async function loadTranscript(
  bytes: Uint8Array,
  from: string | undefined,
  breathe: Breathe,
): Promise<Loaded> {
  const name = from ?? (await detectOne(bytes));
  const dialect = await loadDialect(name);
  const entries: ReadMessage[] = [];
  const unread: UnreadText[] = [];
  const batches = readMessages(inSlices(bytes, breathe), {
    from: dialect,
    onUnread: (one) => unread.push(one),
  });
  for await (const batch of batches) {
    for (const entry of batch) entries.push(entry);
    await breathe();
  }
  const [first] = unread;
  if (entries.length === 0 && first !== undefined) throw first.error;
  return { dialect: name, title: dialect.title, branches: dialect.branches, entries, unread };
}
