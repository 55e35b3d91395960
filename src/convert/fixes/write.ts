import { type Dialect, ESCROW, type JsonRecord } from "../../core/dialect.js";
import { lineAndColumn } from "../../core/json/locate.js";
import { findInexactNumbers } from "../../core/json/numbers.js";
import { formatPointer, resolvePointer } from "../../core/json/pointer.js";
import { findRepeatedKeys } from "../../core/json/repeated-keys.js";
import { isObject } from "../../core/json/value.js";
import type { AgentMessage } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import { align, differences } from "../compare.js";
import { extractEscrow, makeEscrow, unsealed, withoutField } from "../escrow.js";
import { finding } from "../meaning/catalogue.js";
import type { SourceRecord } from "../read.js";
import { type Finding, spotIn } from "../report.js";
import { cut, lastLink } from "../units.js";
import { recordWriter } from "../write.js";
import { hasEscrow, type Item, type Read, type Unit } from "./items.js";
import type { Journal } from "./journal.js";

interface Written {
  value: JsonRecord;
  /** The line as it is in the source. */
  text?: string;
}

/** Writes the conversation in its own dialect. The records of `head` and unchanged ones are written as they were. */
export function writeItems(
  { head, items: before }: Pick<Read, "head" | "items">,
  items: readonly Item[],
  dialect: Dialect,
  journal: Journal,
): string {
  const isLines = dialect.framing.kind === "lines";
  const rewritten = new Set<SourceRecord>();
  const records: Written[] = [...head];
  const all = cut(items, (last, next, first) =>
    dialect.joinsMessage(last.message, next.message, first.message),
  );
  let last = lastLink(
    head.map(({ value }) => value),
    undefined,
    dialect,
  );
  let isSealed = false;
  const isAnySealed = items.some(({ unit }) => unit !== undefined && hasEscrow(unit));
  const sealable = isAnySealed ? new Set<string | undefined>() : undefined;
  const left = new Set(items.map(({ message }) => message.id));
  const removed = new Set(before.flatMap(({ message: { id } }) => (left.has(id) ? [] : [id])));
  for (const [index, group] of all.entries()) {
    // An added message after escrow has escrow too: a sealed record may not have the id that the next one names.
    const isAdded = group.every(({ source }) => source === undefined);
    isSealed = group.some(({ unit }) => unit !== undefined && hasEscrow(unit)) || (isSealed && isAdded);
    // Frames may be read in the order of their ids, so all of them are rewritten.
    // Escrow fits its record only where it was: the first record may also be read as the session.
    const isFirstNow = last === undefined && isSealed && !fitsFirst(group, dialect);
    const originals = dialect.framing.kind === "frames" || isFirstNow ? undefined : originalsOf(group);
    if (originals === undefined || originals.some(({ text }) => text === undefined)) {
      for (const { source } of group) if (source?.origin !== undefined) rewritten.add(source.origin);
    }
    const around = { next: all[index + 1]?.[0]?.message, last, isSealed, sealable, removed };
    const written = originals ?? encode(group, around, dialect, journal);
    if (originals !== undefined || ESCROW in (written[0]?.value ?? {})) {
      for (const { message } of group) sealable?.add(message.id);
    }
    for (const record of written) records.push(record);
    last = lastLink(
      written.map(({ value }) => value),
      last,
      dialect,
    );
  }
  noteRewritten(rewritten, journal);
  if (isLines) {
    return records.map(({ value, text }) => (text === undefined ? formatLine(value) : `${text}\n`)).join("");
  }
  const writer = recordWriter(dialect.framing);
  return [...writer.push(records.map(({ value }) => value)), ...writer.finish()].join("");
}

/** Whether the escrow of a group's first record fits if no record is before it. */
function fitsFirst([item]: readonly Item[], dialect: Dialect): boolean {
  const [first = {}, ...rest] = item?.unit?.originals.map(({ value }) => value) ?? [];
  const { record, escrow } = extractEscrow(first);
  // A record that is nothing but escrow is not decoded.
  if (escrow === undefined || Object.keys(record).length === 0) return true;
  return dialect.decode([record, ...rest]).length === escrow.of.length;
}

/** Notes numbers that were rounded to a double and repeated keys that were written once. */
function noteRewritten(records: Iterable<SourceRecord>, journal: Journal): void {
  const texts = new Map([...records].map((record) => [record.text, record.line]));
  for (const [text, line] of texts) {
    const note = (offset: number, found: Finding) => {
      const place = lineAndColumn(text, offset);
      journal.note({ at: "", line: line + place.line - 1, column: place.column }, found);
    };
    for (const { offset, source } of findInexactNumbers(text)) {
      const message = `the number ${source} was written as ${JSON.stringify(Number(source))}`;
      note(offset, finding("json/inexact-number", message));
    }
    for (const { offset, key } of findRepeatedKeys(text)) {
      const message = `the key ${JSON.stringify(key)} is repeated; only this value was written`;
      note(offset, finding("json/duplicate-key", message));
    }
  }
}

/** The group's original records, if it consists of whole, unchanged units. */
function originalsOf(group: readonly Item[]): Written[] | undefined {
  const originals: Written[] = [];
  for (let index = 0; index < group.length; ) {
    const unit: Unit | undefined = group[index]?.unit;
    const start = index;
    if (unit === undefined) return undefined;
    if (unit.messages.some((message, offset) => group[start + offset]?.message !== message)) return undefined;
    for (const original of unit.originals) originals.push(original);
    index += unit.messages.length;
  }
  return originals;
}

interface Around {
  next: AgentMessage | undefined;
  last: JsonRecord | undefined;
  /** Whether the records get escrow. */
  isSealed: boolean;
  /** In a conversation with escrow: the ids that a reader finds before. A record that cannot name one of them gets escrow. */
  sealable: ReadonlySet<string | undefined> | undefined;
  /** The ids of messages that were removed. */
  removed: ReadonlySet<unknown>;
}

function encode(group: readonly Item[], around: Around, dialect: Dialect, journal: Journal): Written[] {
  const messages = group.map(({ message }) => message);
  const { records, back } = encodeLinked(messages, around, dialect);
  const [first, ...rest] = records;
  const isSealed = around.isSealed || losesParent(messages, back, around.sealable);
  if (first !== undefined && isSealed) {
    const escrow = makeEscrow(messages, back, { dialect: dialect.name, span: records.length });
    return [{ ...withoutField(first), [ESCROW]: escrow }, ...rest].map((value) => ({ value }));
  }
  noteLost(group, back, dialect, journal);
  return records.map((value) => ({ value }));
}

/** The records of messages, and what a reader finds in them. None of them names a removed message as its parent. */
function encodeLinked(messages: readonly AgentMessage[], around: Around, dialect: Dialect) {
  const write = (unit: readonly AgentMessage[]) => {
    const encoded = dialect.encode(unit, around.next, around.last);
    const records = encoded.map(around.isSealed ? withoutField : unsealed);
    return { records, back: dialect.decode(records, around.last).map(({ message }) => message) };
  };
  const written = write(messages);
  const partners = align(messages, written.back);
  const isLost = (index: number) => around.removed.has(written.back[partners[index] ?? -1]?.parentId);
  if (!messages.some((_, index) => isLost(index))) return written;
  // A message without a parent is linked to the one before it, whatever the record named.
  return write(
    messages.map((message, index) => {
      const { parentId: _, ...unlinked } = message;
      return isLost(index) ? unlinked : message;
    }),
  );
}

/** Whether a message no longer names its parent, although that exists. */
function losesParent(
  messages: readonly AgentMessage[],
  back: readonly AgentMessage[],
  ids: ReadonlySet<string | undefined> = new Set(),
): boolean {
  const partners = align(messages, back);
  return messages.some(({ parentId }, index) => {
    const isNamed = back[partners[index] ?? -1]?.parentId === parentId;
    return typeof parentId === "string" && !isNamed && ids.has(parentId);
  });
}

/** Notes what a reader will not find again. Neutral values cannot be lost, nor can parts of added messages. */
function noteLost(
  group: readonly Item[],
  back: readonly AgentMessage[],
  dialect: Dialect,
  journal: Journal,
): void {
  const messages = group.map(({ message }) => message);
  const partners = align(messages, back);
  for (const [index, { message, source }] of group.entries()) {
    const partner = partners[index];
    if (source === undefined) {
      if (partner !== undefined) continue;
      const lost = `${dialect.title} could not represent the added ${message.role} message`;
      journal.note({ at: "", line: 1, column: 1 }, { code: "repair/lost", message: lost, severity: "error" });
      continue;
    }
    const marks = Object.keys(message.ext ?? {}).every((key) => key === "synthesised")
      ? "/ext"
      : "/ext/synthesised";
    const neutral = new Set([...(message.ext?.synthesised ?? []), marks]);
    const lost =
      partner === undefined
        ? [[]]
        : differences(message, back[partner])
            .filter(({ kind }) => kind !== "extra")
            .map(({ path }) => path)
            .filter((path) => !isSpelling(path, message, dialect))
            .filter((path) => !path.some((_, end) => neutral.has(formatPointer(path.slice(0, end + 1)))));
    for (const path of lost) {
      const what = path.length === 0 ? `the ${message.role} message` : path.join(".");
      const lost = `${dialect.title} could not represent ${what}`;
      journal.note(spotIn(source, path), { code: "repair/lost", message: lost, severity: "error" });
    }
  }
}

/** Whether a difference is only in how the dialect would write the record (`Deviation`), and not in what the record has. */
function isSpelling(path: readonly (string | number)[], message: AgentMessage, { name }: Dialect): boolean {
  const start = path.indexOf("ext");
  if (start === -1 || (path.length > start + 1 && path[start + 1] !== name)) return false;
  const kind = path.slice(start + 2).find((key) => key === "fields" || key === "absent" || key === "ours");
  if (kind !== undefined) return kind !== "fields";
  const value = resolvePointer(message, formatPointer(path));
  return hasOnlySpelling(value);
}

function hasOnlySpelling(notes: unknown): boolean {
  if (!isObject(notes)) return false;
  return Object.entries(notes).every(
    ([key, value]) => key === "absent" || key === "ours" || hasOnlySpelling(value),
  );
}
