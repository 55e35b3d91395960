import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { CompactionMessage } from "../../core/types.js";
import { compactionLine, summaryItem } from "./encode-compaction.js";
import { extWith, guardedDifferences } from "./notes.js";
import { timeOf } from "./time.js";
import { isMessageItem, payloadOf } from "./wire.js";

type Replacement = NonNullable<CompactionMessage["replacement"]>;

/** Reads the items of a history as if each was a line. */
type ReadHistory = (records: readonly JsonRecord[]) => Decoded[];

export function readCompaction(
  record: JsonRecord,
  index: number,
  last: JsonRecord | undefined,
  readHistory: ReadHistory,
): CompactionMessage {
  const { message: summary, replacement_history: history } = payloadOf(record);
  if (!isString(summary)) throw unexpected(`/${index}/payload/message`, "the summary as text", summary);
  const items = Array.isArray(history) && history.every(isItem) ? history : undefined;
  const isSummary = items !== undefined && sameJson(items, [summaryItem(summary)]);
  const { timestamp } = record;
  const lines = items?.map((payload) => ({ timestamp, type: "response_item", payload })) ?? [];
  const replacement = readHistory(lines).map(({ message }) => message);
  const time = timeOf(record);
  const synthesised = time === undefined ? ["/timestamp"] : [];
  // Codex keeps the user's messages if it has no other history.
  const notes = items === undefined && summary !== "" ? { open: true } : {};
  const message: CompactionMessage = {
    role: "compaction",
    summary,
    verbatim: true,
    ...(items === undefined || isSummary ? {} : { replacement: replacement.filter(isShown) }),
    timestamp: time ?? 0,
    ...extWith(notes, synthesised),
  };
  const found = guardedDifferences(record, compactionLine(message, last));
  return { ...message, ...extWith({ ...notes, ...found }, synthesised) };
}

/** Whether it can be read: a message needs a list of parts. */
function isItem(item: unknown): item is JsonObject {
  if (!isObject(item)) return false;
  const { content } = item;
  return !isMessageItem(item) || (Array.isArray(content) && content.every(isObject));
}

function isShown(message: Decoded["message"]): message is Replacement[number] {
  return ["user", "assistant", "toolResult", "system"].includes(message.role);
}
