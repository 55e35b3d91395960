import { DragomanError } from "../../core/error.js";
import { lineAndColumn, locatePointer } from "../../core/json/locate.js";
import { JsonMachine, MAX_DEPTH } from "../../core/json/machine.js";
import { formatPointer, parsePointer, resolvePointer } from "../../core/json/pointer.js";
import { endOfString } from "../../core/json/scan.js";
import { COMMA_OR_END, ESCAPE, STRING, UNICODE } from "../../core/json/states.js";
import { isObject } from "../../core/json/value.js";
import { type DocumentFraming, pointersIn, recordsOf, type SourceRecord, type SourceText } from "../read.js";
import type { Journal } from "./journal.js";

/**
 * The whole records of a truncated or damaged document, up to the damage. The rest of the text is set aside. Throws the
 * original error when there is nothing to save.
 */
export function salvage(
  text: string,
  error: DragomanError,
  framing: DocumentFraming,
  journal: Journal,
): SourceRecord[] {
  if (error.code !== "json/syntax") throw error;
  const machine = new JsonMachine(MAX_DEPTH);
  machine.feed(text);
  const readable = text.slice(0, machine.offset);
  const { root } = machine.tree;
  const count = split(framing, root, error).length;
  const pointers = Array.from({ length: count }, (_, index) => index).map(pointersIn(framing, root));
  const last = pointers.at(-1) ?? "";
  const torn = tornPlace(machine, readable, pointers);
  const start = torn === undefined ? undefined : locatePointer(readable, torn);
  if (torn !== undefined) remove(root, torn);
  const records = split(framing, root, error);
  if (torn === "" || !records.some(isObject)) throw error;
  const { line, column, offset } = start ?? lineAndColumn(text, startOfToken(machine, readable));
  const rest = text.slice(offset);
  const spot = { at: torn ?? last, line, column };
  if (rest.trim() !== "") journal.setAside(spot, rest, error.message);
  else journal.changeAt(spot, { code: error.code, what: "closed the truncated document here" });
  const document = { text: readable, document: root };
  return recordsOf(records, document, framing, (unread, bad) => setUnreadAside(unread, bad, journal));
}

/** Keeps the text of an unreadable line or record. */
export function setUnreadAside(
  { message }: DragomanError,
  { at, line, text }: SourceText,
  journal: Journal,
): void {
  journal.setAside({ at, line, column: 1 }, text, message);
}

/** The incomplete part: a record, or another field of the document. */
function tornPlace(
  { tree, state }: JsonMachine,
  readable: string,
  pointers: readonly string[],
): string | undefined {
  const last = pointers.at(-1) ?? "";
  // The first record may be what contains the others.
  const open = pointers.findLast(
    (at) => !last.startsWith(`${at}/`) && tree.isOpen(resolvePointer(tree.root, at)),
  );
  if (open !== undefined) return open;
  for (const [key, value] of isObject(tree.root) ? Object.entries(tree.root) : []) {
    const field = formatPointer([key]);
    if (tree.isOpen(value) && !last.startsWith(`${field}/`)) return field;
    if (typeof value !== "string" || key !== tree.key || state === COMMA_OR_END) continue;
    const start = locatePointer(readable, field)?.offset ?? 0;
    if (endOfString(readable, start) === readable.length) return field;
  }
  return undefined;
}

/** The start of the key, number or literal that was being read. */
function startOfToken({ state }: JsonMachine, readable: string): number {
  if (state === STRING || state === ESCAPE || state === UNICODE) return readable.lastIndexOf('"');
  let start = readable.length;
  if (state !== COMMA_OR_END) while (/[\w.+-]/.test(readable.charAt(start - 1))) start--;
  return start;
}

function split(framing: DocumentFraming, root: unknown, error: DragomanError): unknown[] {
  try {
    return framing.split(root);
  } catch (cause) {
    if (cause instanceof DragomanError) throw error;
    throw cause;
  }
}

/** Removes a field, or the last member of an array. */
function remove(root: unknown, pointer: string): void {
  const path = parsePointer(pointer);
  const key = path.pop();
  const parent = resolvePointer(root, formatPointer(path));
  if (Array.isArray(parent)) parent.pop();
  else if (isObject(parent) && key !== undefined) Reflect.deleteProperty(parent, key);
}
