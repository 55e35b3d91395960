import type { JsonRecord } from "../../core/dialect.js";
import { jsonIn } from "../../core/json/parse.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { payloadOf } from "./wire.js";

/** The start of a session that is in another file. */
interface HistoryBase {
  /** The id of the other file: its name ends with it, before `.jsonl`. */
  rolloutId: string;
  /** The length of the part of that file that belongs to the session. */
  bytes: number;
}

export function readHistoryBase(base: unknown): HistoryBase | undefined {
  if (!isObject(base)) return undefined;
  const { thread_id: rolloutId, end_byte_offset: bytes } = base;
  return isString(rolloutId) && isNumber(bytes) ? { rolloutId, bytes } : undefined;
}

type Open = () => AsyncIterable<Uint8Array>;

/**
 * A session with the starts that are in other files: its header, the parts of the other files, and the other lines of its
 * own file. `find` opens the file whose name ends with a rollout id, if there is one. If a file is missing, the header still
 * names it, so that a conversion reports the loss.
 *
 * @example
 * const whole = joinHistory(() => file.stream(), async (id) => filesById.get(id));
 */
export async function* joinHistory(
  open: Open,
  find: (rolloutId: string) => Promise<Open | undefined>,
): AsyncGenerator<Uint8Array> {
  const own = await readHeader(open);
  const starts: { open: Open; bytes: number }[] = [];
  const known = new Set<string>();
  let base: unknown = own?.payload["history_base"];
  for (let next = readHistoryBase(base); next !== undefined; next = readHistoryBase(base)) {
    const { rolloutId, bytes } = next;
    const found = known.has(rolloutId) ? undefined : await find(rolloutId);
    if (found === undefined) break;
    known.add(rolloutId);
    starts.unshift({ open: found, bytes });
    base = (await readHeader(found))?.payload["history_base"];
  }
  if (own === undefined || starts.length === 0) return yield* open();
  const { history_base: _, ...others } = own.payload;
  const payload = base === undefined ? others : { ...others, history_base: base };
  yield new TextEncoder().encode(`${JSON.stringify({ ...own.record, payload })}\n`);
  for (const start of starts) yield* between(start.open(), 0, start.bytes);
  yield* between(open(), own.bytes, Number.POSITIVE_INFINITY);
}

interface Header {
  record: JsonRecord;
  payload: JsonObject;
  /** The length of its line. */
  bytes: number;
}

/** Undefined if the first line is not a header. */
async function readHeader(open: Open): Promise<Header | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of open()) {
    const end = chunk.indexOf(NEWLINE) + 1;
    const part = end === 0 ? chunk : chunk.subarray(0, end);
    text += decoder.decode(part, { stream: true });
    bytes += part.length;
    if (end > 0) break;
  }
  const record = parseRecord(text);
  if (record?.["type"] !== "session_meta") return undefined;
  return { record, payload: payloadOf(record), bytes };
}

const NEWLINE = 0x0a;

/** Bad JSON is reported when the file is read. */
function parseRecord(text: string): JsonRecord | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

async function* between(
  source: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of source) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at >= end) return;
  }
}
