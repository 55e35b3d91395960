import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { locatePointer } from "../core/json/locate.js";
import { endOfContainer } from "../core/json/scan.js";
import type { AgentMessage } from "../core/types.js";
import { MessageDecoder, type SourceMessage } from "./decode.js";
import { requireReads } from "./detect.js";
import { placed, recordReader, type SourceRecord } from "./read.js";

/** A transcript's message, and the record it was read from. */
export interface ReadMessage {
  message: AgentMessage;
  /** The record's pointer, with which pointers of problems and losses start. */
  at: string;
  /** The first line of `text`. */
  line: number;
  /** The line it was read from, or the whole document. Empty for a message assembled from a recorded stream. */
  text: string;
  /** The record's pointer in `text`. */
  inText: string;
}

/** An unreadable part of a transcript. */
export interface UnreadText {
  error: DragomanError;
  at: string;
  line: number;
  text: string;
}

export interface ReadMessagesOptions {
  from: Dialect;
  /** Called with unreadable text, which is skipped; without it, reading throws. */
  onUnread?: (unread: UnreadText) => void;
}

/** How many of a document's messages are yielded at once. */
const BATCH = 500;

/**
 * The messages of all branches of a transcript, in batches, each with its place in the source.
 *
 * @example
 * for await (const messages of readMessages(file.stream(), { from: await loadDialect("pi") })) show(messages);
 */
export async function* readMessages(
  source: AsyncIterable<Uint8Array>,
  { from, onUnread }: ReadMessagesOptions,
): AsyncGenerator<ReadMessage[]> {
  requireReads(from);
  const refuse =
    onUnread &&
    ((error: DragomanError, text: Omit<UnreadText, "error">) => {
      onUnread({ error, at: text.at, line: text.line, text: text.text });
    });
  const reader = recordReader(from.framing, refuse === undefined ? {} : { onBad: refuse });
  const decoder = new MessageDecoder(
    from,
    refuse === undefined ? {} : { onBad: (error, unit) => refuseUnit(error, unit, refuse) },
  );
  const decode = function* (records: Iterable<SourceRecord>): Generator<ReadMessage[]> {
    let batch: ReadMessage[] = [];
    for (const record of records) {
      for (const message of decoder.push(record)) batch.push(readMessage(message));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  };
  for await (const chunk of source) yield* decode(reader.push(chunk));
  yield* decode(reader.finish());
  yield decoder.finish().map(readMessage);
}

function readMessage({ message, origin }: SourceMessage): ReadMessage {
  if (origin === undefined) return { message, at: "", line: 1, text: "", inText: "" };
  const { at, line, text, inText } = origin;
  return { message, at, line, text, inText };
}

function refuseUnit(
  error: DragomanError,
  unit: readonly SourceRecord[],
  refuse: (error: DragomanError, record: SourceRecord) => void,
): void {
  const known = placed(error, unit);
  const record = unit[Number((error.at ?? "/0").split("/")[1])] ?? unit[0];
  if (record !== undefined && known instanceof DragomanError) refuse(known, record);
}

/** A message's text in its source, with its place; undefined where the source has none. */
export function sourceOf({
  text,
  inText,
  line,
}: Pick<ReadMessage, "text" | "inText" | "line">):
  | { text: string; line: number; column: number }
  | undefined {
  const found = locatePointer(text, inText);
  if (found === undefined) return undefined;
  return {
    text: text.slice(found.offset, endOfContainer(text, found.offset)),
    line: line + found.line - 1,
    column: found.column,
  };
}
