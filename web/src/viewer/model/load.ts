import { detectOne, loadDialect, type ReadMessage, readMessages, type UnreadText } from "dragoman/convert";
import { inSlices, type YieldToPage } from "./slices.js";

/** Everything that could be read of a transcript. */
export interface Loaded {
  dialect: string;
  title: string;
  /** Whether the dialect records each message's parent. */
  branches: boolean;
  /** In file order. */
  entries: ReadMessage[];
  unread: UnreadText[];
}

/** Reads a transcript in slices. Throws a `DragomanError` if nothing in it can be read. */
export async function loadTranscript(
  bytes: Uint8Array,
  from: string | undefined,
  breathe: YieldToPage,
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
