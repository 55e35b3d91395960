import type { Dialect, FoldLoss, JsonRecord } from "../../core/dialect.js";
import type { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import { MessageDecoder, type SourceMessage } from "../decode.js";
import { spanOf } from "../escrow.js";
import { finding } from "../meaning/catalogue.js";
import { recordReader, type SourceRecord, type SourceText } from "../read.js";
import { spotIn } from "../report.js";
import type { Journal } from "./journal.js";
import { salvage, setUnreadAside } from "./salvage.js";

/** A record as read; `text` if it can be written back as that line. */
export interface Original {
  value: JsonRecord;
  text?: string;
}

/** Records that were read together, and their messages. */
export interface Unit {
  originals: Original[];
  messages: AgentMessage[];
}

/** A message of the conversation under repair. An added one has no source. */
export interface Item {
  message: AgentMessage;
  source?: SourceMessage;
  unit?: Unit;
}

export interface Read {
  items: Item[];
  /** The records before the first message that have none: the header of a conversation without a session. */
  head: Original[];
  /** Later records without a message. They are lost only if the conversation is rewritten. */
  silent: { record: SourceRecord; text: string }[];
  /** What folding dropped. It is lost only if the frames are rewritten. */
  folded: Folding[];
}

interface Folding {
  loss: FoldLoss;
  line: number;
  frames: readonly SourceText[];
}

/** A record to decode, after fixes of known mistakes. */
interface Entry {
  record: SourceRecord;
  original: Original;
}

/** Reads the readable records, fixes known mistakes, and sets the rest aside. */
export function readItems(bytes: Uint8Array, dialect: Dialect, journal: Journal): Read {
  const folded: Folding[] = [];
  let salvaged: SourceRecord[] = [];
  const reader = recordReader(dialect.framing, {
    onBad(error, bad) {
      const { framing } = dialect;
      const isWhole = framing.kind === "document" && bad.at === "";
      if (isWhole) salvaged = salvage(bad.text, error, framing, journal);
      else setUnreadAside(error, bad, journal);
    },
    onFolded: (loss, line, frames) => folded.push({ loss, line, frames }),
  });
  const records = [...reader.push(bytes), ...reader.finish(), ...salvaged];
  return { ...decodeReadable(mendRecords(records, dialect, journal), dialect, journal), folded };
}

/** Fixes known mistakes in single records. */
function mendRecords(records: readonly SourceRecord[], dialect: Dialect, journal: Journal): Entry[] {
  const isLines = dialect.framing.kind === "lines";
  const entries: Entry[] = [];
  const misfits = findMisfits(records, dialect);
  let sealed = 0;
  for (const [index, record] of records.entries()) {
    const isSpread = dialect.framing.kind !== "document" && record.text.includes("\n");
    const misfit = misfits.get(index);
    if (misfit !== undefined) {
      const text = isLines && !isSpread ? record.text : JSON.stringify(record.value);
      journal.setAside({ record, pointer: "" }, text, misfit.message);
      continue;
    }
    // Escrow refers to the records as written, so those stay unchanged.
    sealed = spanOf(record.value) || sealed - 1;
    const mended = sealed > 0 ? undefined : dialect.mend?.(record.value);
    if (isSpread) {
      const code = "framing/several-lines";
      journal.changeAt({ record, pointer: "" }, { code, what: "wrote the record on one line" });
    }
    if (mended === undefined) {
      const original = { value: record.value, ...(isLines && !isSpread ? { text: record.text } : {}) };
      entries.push({ record, original });
      continue;
    }
    const after = mended.records.length === 1 ? mended.records[0] : mended.records;
    const change = {
      code: `${dialect.name}/mended`,
      what: mended.changes.join(" "),
      before: record.value,
      after,
    };
    journal.changeAt({ record, pointer: "" }, change);
    for (const value of mended.records) entries.push({ record: { ...record, value }, original: { value } });
  }
  return entries;
}

/** How often records are read again without those that cannot be decoded. */
const MOST_READINGS = 20;

/**
 * Sets the records aside that cannot be decoded. The others are decoded without them, as a reader of the output does: lines
 * that were apart may then belong together.
 */
function decodeReadable(
  entries: readonly Entry[],
  dialect: Dialect,
  journal: Journal,
): Pick<Read, "items" | "head" | "silent"> {
  let readable = entries;
  for (let reading = 1; ; reading++) {
    const { bad, ...read } = decodeEntries(readable, dialect);
    for (const [{ record, original }, error] of bad) {
      journal.setAside({ record, pointer: "" }, textOf(original), error.message);
    }
    if (bad.size === 0 || reading === MOST_READINGS) return read;
    readable = readable.filter((entry) => !bad.has(entry));
  }
}

function decodeEntries(entries: readonly Entry[], dialect: Dialect) {
  const items: Item[] = [];
  const head: Original[] = [];
  const silent: Read["silent"] = [];
  const bad = new Map<Entry, DragomanError>();
  let next = 0;
  const decoder = new MessageDecoder(dialect, {
    onUnit(records, sources) {
      const messages = sources.map(({ message }) => message);
      const originals = entries.slice(next, next + records.length).map(({ original }) => original);
      next += records.length;
      const unit = { originals, messages };
      if (messages.length === 0) {
        if (items.length === 0) head.push(...originals);
        else
          for (const [index, record] of records.entries())
            silent.push({ record, text: textOf(originals[index]) });
      }
      for (const source of sources) items.push({ message: source.message, source, unit });
    },
    onBad(error, records) {
      for (const entry of entries.slice(next, next + records.length)) bad.set(entry, error);
      next += records.length;
    },
  });
  for (const { record } of entries) decoder.push(record);
  decoder.finish();
  return { items, head, silent, bad };
}

function textOf(original: Original | undefined): string {
  return original?.text ?? JSON.stringify(original?.value);
}

/** Records whose escrow does not fit, by index. The records after them are repaired as if it did not exist. */
function findMisfits(records: readonly SourceRecord[], dialect: Dialect): Map<number, DragomanError> {
  const misfits = new Map<number, DragomanError>();
  if (!records.some(({ value }) => spanOf(value) > 0)) return misfits;
  const decoder = new MessageDecoder(dialect, {
    onBad(error, [first]) {
      if (error.code === "convert/bad-escrow" && first !== undefined) misfits.set(Number(first.at), error);
    },
  });
  for (const [index, record] of records.entries()) decoder.push({ ...record, at: String(index) });
  decoder.finish();
  return misfits;
}

/** Sets records without a message aside. */
export function setSilentAside(silent: Read["silent"], journal: Journal): void {
  for (const { record, text } of silent) {
    journal.setAside({ record, pointer: "" }, text, "the record has no message");
  }
}

/** Sets dropped frames aside, and notes approximated ones. */
export function setFramesAside(folded: readonly Folding[], journal: Journal): void {
  for (const { loss, line, frames } of folded) {
    const why = `${loss.what}: ${loss.why}`;
    if (loss.severity === "dropped") {
      for (const { at, line, text } of frames) journal.setAside({ at, line, column: 1 }, text, why);
    } else journal.note({ at: loss.at, line, column: 1 }, finding("framing/not-kept", why));
  }
}

export function hasEscrow({ originals }: Unit): boolean {
  return originals.some(({ value }) => spanOf(value) > 0);
}

/** Removes an item from the output, and keeps its text. */
export function setAside({ message, source, unit }: Item, why: string, journal: Journal): void {
  const [original] = unit?.messages.length === 1 ? unit.originals : [];
  const text = original?.text ?? JSON.stringify(original?.value ?? message);
  if (source !== undefined) journal.setAside(spotIn(source), text, why);
}
