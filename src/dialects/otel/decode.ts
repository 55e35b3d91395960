import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isEmpty, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AssistantMessage, SessionMessage } from "../../core/types.js";
import { originIn, ownAttributes, unknownOrigin } from "./attributes.js";
import { decodeMessage, decodeSystem } from "./decode-message.js";
import { addNotes, extWith, notesOf } from "./notes.js";
import {
  AGENT,
  attributesOf,
  CONVERSATION,
  FINISH_REASONS,
  INPUT,
  isBare,
  LISTS,
  type ListKey,
  OUTPUT,
  SYSTEM,
} from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.flatMap((record, index) => decodeDocument(record, index));
}

type Placed = Omit<Decoded, "record">;

function decodeDocument(record: JsonRecord, index: number): Decoded[] {
  const attributes = attributesOf(record);
  const isSpan = attributes !== record;
  const above = isSpan ? "/attributes" : "";
  const at = (key: ListKey) => (isBare(record) ? "" : `${above}/${key}`);
  const lists = readLists(attributes, (key) => `/${index}${at(key)}`);
  const tools = new Map<string, string>();
  const decoded: Placed[] = [];
  if (lists[SYSTEM].length > 0) decoded.push({ message: decodeSystem(lists[SYSTEM]), base: at(SYSTEM) });
  const hasPrompt = decoded.length > 0;
  for (const [place, wire] of lists[INPUT].entries()) {
    const base = `${at(INPUT)}/${place}`;
    const messages = decodeMessage(wire, { at: `/${index}${base}`, tools, origin: unknownOrigin });
    decoded.push(...messages.map((message) => ({ message, base })));
  }
  const inputEnd = decoded.length;
  const origin = originIn(attributes, lists[OUTPUT].length === 1);
  const reasons = attributes[FINISH_REASONS];
  for (const [place, wire] of lists[OUTPUT].entries()) {
    const base = `${at(OUTPUT)}/${place}`;
    const finishReason: unknown = Array.isArray(reasons) ? reasons[place] : undefined;
    const messages = decodeMessage(wire, { at: `/${index}${base}`, tools, origin, finishReason });
    decoded.push(...messages.map((message) => ({ message, base })));
    const isLast = place === lists[OUTPUT].length - 1;
    if (!isLast || messages[0]?.role !== "assistant") addNotes(messages[0] ?? {}, { output: true });
  }
  markInput(decoded, hasPrompt ? 1 : 0, inputEnd);
  const session = sessionOf(attributes, decoded, {
    ...textsOf(attributes, lists),
    ...emptyLists(attributes, lists),
    ...(isSpan ? { span: without(record, ["attributes"]) } : {}),
  });
  if (isBare(record)) addNotes(decoded[0]?.message ?? {}, { bare: true });
  const all = session === undefined ? decoded : [{ message: session }, ...decoded];
  return all.map((one) => ({ ...one, record: index }));
}

/** Notes messages of the input that we would write elsewhere: a first system message, and an answer at the end. */
function markInput(decoded: readonly Placed[], start: number, end: number): void {
  const first = decoded[start]?.message;
  if (start === 0 && end > 0 && first?.role === "system") addNotes(first, { input: true });
  if (end < decoded.length || end <= start) return;
  // The last wire message is several messages if it has results.
  const last = decoded.findLast(({ message }) => notesOf(message)["merged"] !== true)?.message;
  if (last?.role === "assistant") addNotes(last, { input: true });
}

type Lists = Record<ListKey, unknown[]>;

function readLists(attributes: JsonObject, at: (key: ListKey) => string): Lists {
  const read = (key: ListKey): unknown[] => {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : [];
    const list = isString(value) ? parsed(value) : value;
    if (Array.isArray(list)) return list;
    throw unexpected(at(key), "an array, or a text of a JSON array", value);
  };
  return { [SYSTEM]: read(SYSTEM), [INPUT]: read(INPUT), [OUTPUT]: read(OUTPUT) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The lists that were texts, with the text if we would spell it differently. */
function textsOf(attributes: JsonObject, lists: Lists): JsonObject {
  const texts: JsonObject = {};
  for (const key of LISTS) {
    const text = attributes[key];
    if (isString(text)) texts[key] = text === JSON.stringify(lists[key]) ? true : text;
  }
  return isEmpty(texts) ? {} : { texts };
}

function emptyLists(attributes: JsonObject, lists: Lists): JsonObject {
  const empty = LISTS.filter((key) => Object.hasOwn(attributes, key) && lists[key].length === 0);
  return empty.length === 0 ? {} : { empty };
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** A session if the document has more than messages. */
function sessionOf(
  attributes: JsonObject,
  decoded: readonly Placed[],
  notes: JsonObject,
): SessionMessage | undefined {
  const { [CONVERSATION]: id, [AGENT]: agent } = attributes;
  const session: SessionMessage = {
    role: "session",
    ...(isString(id) ? { id } : {}),
    timestamp: 0,
    ...(isString(agent) ? { agent } : {}),
  };
  const ours = ownAttributes(session, onlyAnswer(attributes, decoded));
  const document = deviations(without(attributes, LISTS), ours, { guarded: true });
  const all = { ...notes, ...(document === undefined ? {} : { document }) };
  if (isEmpty(all) && sameJson(session, { role: "session", timestamp: 0 }) && decoded.length > 0) return undefined;
  return { ...session, ...extWith(all, ["/timestamp"]) };
}

/** The answer that the attributes are about: the last message of a document with an output. */
function onlyAnswer(attributes: JsonObject, decoded: readonly Placed[]): AssistantMessage | undefined {
  if (!Object.hasOwn(attributes, OUTPUT)) return undefined;
  const output = decoded.filter(({ base }) => base?.includes(OUTPUT) === true);
  const [first, ...others] = output;
  return others.length === 0 && first?.message.role === "assistant" ? first.message : undefined;
}
