import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { jsonIn } from "../../core/json/parse.js";
import { isEmpty, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { stableDeviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { originIn, ownAttributes, unknownOrigin, unknownUsage } from "./attributes.js";
import { type Context, decodeMessage, decodeSystem } from "./decode-message.js";
import { spellingOf } from "./list-text.js";
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
  // The record was only an escrow.
  if (isEmpty(record)) return [];
  const attributes = attributesOf(record);
  const above = attributes === record ? "" : "/attributes";
  const place = (key: ListKey) => (isBare(record) ? "" : `${above}/${key}`);
  const lists = readLists(attributes, (key) => `/${index}${place(key)}`);
  const tools = new Map<string, string>();
  const placed = (wire: unknown, base: string, context: Omit<Context, "at" | "tools">): Placed[] =>
    decodeMessage(wire, { ...context, at: `/${index}${base}`, tools }).map((message) => ({ message, base }));

  const prompt =
    lists[SYSTEM].length === 0 ? [] : [{ message: decodeSystem(lists[SYSTEM]), base: place(SYSTEM) }];
  const input = lists[INPUT].flatMap((wire, number) =>
    placed(wire, `${place(INPUT)}/${number}`, { origin: unknownOrigin, place: "input" }),
  );
  const isWhole = lists[OUTPUT].length === 1;
  // The usage is that of all choices.
  const origin = isWhole ? originIn(attributes) : { ...originIn(attributes), ...unknownUsage };
  const reasons = attributes[FINISH_REASONS];
  const output = lists[OUTPUT].flatMap((wire, number) => {
    const finishReason: unknown = Array.isArray(reasons) ? reasons[number] : undefined;
    const messages = placed(wire, `${place(OUTPUT)}/${number}`, {
      origin,
      place: isWhole ? "whole output" : "output",
      finishReason,
    });
    const isOurs = number === lists[OUTPUT].length - 1 && messages[0]?.message.role === "assistant";
    if (!isOurs) addNotes(messages[0]?.message ?? {}, { output: true });
    return messages;
  });

  const [first] = input;
  if (isBare(record)) addNotes(first?.message ?? {}, { bare: true });
  else noteInput(input, prompt.length > 0, output.length > 0);
  const decoded = [...prompt, ...input, ...output];
  const session = sessionOf(
    attributes,
    decoded.length > 0,
    output.map(({ message }) => message),
    {
      ...textsOf(attributes, lists),
      ...emptyLists(attributes, lists),
      ...(attributes === record ? {} : { span: without(record, ["attributes"]) }),
    },
  );
  const all = session === undefined ? decoded : [{ message: session }, ...decoded];
  return all.map((one) => ({ ...one, record: index }));
}

/** Notes messages of the input that we would write elsewhere: a first system message, and an answer at the end. */
function noteInput(input: readonly Placed[], hasPrompt: boolean, hasOutput: boolean): void {
  const first = input[0]?.message;
  if (!hasPrompt && first?.role === "system") addNotes(first, { input: true });
  if (hasOutput) return;
  // The last wire message is several messages if it has results.
  const last = input.findLast(({ message }) => notesOf(message)["merged"] !== true)?.message;
  if (last?.role === "assistant") addNotes(last, { input: true });
}

type Lists = Record<ListKey, unknown[]>;

function readLists(attributes: JsonObject, at: (key: ListKey) => string): Lists {
  const read = (key: ListKey): unknown[] => {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : [];
    const list = isString(value) ? jsonIn(value) : value;
    if (Array.isArray(list)) return list;
    throw unexpected(at(key), "an array, or a text of a JSON array", value);
  };
  return { [SYSTEM]: read(SYSTEM), [INPUT]: read(INPUT), [OUTPUT]: read(OUTPUT) };
}

/** The lists that were texts, and their spelling. */
function textsOf(attributes: JsonObject, lists: Lists): JsonObject {
  const texts: JsonObject = {};
  for (const key of LISTS) {
    const text = attributes[key];
    if (isString(text)) texts[key] = spellingOf(text, lists[key]);
  }
  return isEmpty(texts) ? {} : { texts };
}

/** The lists without members, if they are not the one that we would write. */
function emptyLists(attributes: JsonObject, lists: Lists): JsonObject {
  const empty = LISTS.filter((key) => Object.hasOwn(attributes, key) && lists[key].length === 0);
  const ours = LISTS.every((key) => lists[key].length === 0) ? [INPUT] : [];
  return sameJson(empty, ours) ? {} : { empty };
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** A session if the document has more than messages, or none. */
function sessionOf(
  attributes: JsonObject,
  hasMessages: boolean,
  output: readonly AgentMessage[],
  notes: JsonObject,
): SessionMessage | undefined {
  const { [CONVERSATION]: id, [AGENT]: agent } = attributes;
  const session: SessionMessage = {
    role: "session",
    ...(isString(id) ? { id } : {}),
    timestamp: 0,
    ...(isString(agent) ? { agent } : {}),
  };
  const document = stableDeviations(without(attributes, LISTS), ownAttributes(session, output), {
    guarded: true,
  });
  const all = { ...notes, ...(document === undefined ? {} : { document }) };
  const isPlain = isEmpty(all) && session.id === undefined && session.agent === undefined;
  return isPlain && hasMessages ? undefined : { ...session, ...extWith(all, ["/timestamp"]) };
}
