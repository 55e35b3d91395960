import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, type JsonObject, own, setOwn } from "../../core/json/value.js";
import { type Deviation, deviations, forget, fromPointers, restore } from "../../core/records/deviation.js";
import { ownNotes } from "../../core/records/own-notes.js";
import type { AgentMessage } from "../../core/types.js";
import { NAME } from "./wire.js";

const { notesOf, addNotes, isForeign } = ownNotes(NAME);

export { isForeign, notesOf };

/** `ext["openclaw-turns"]` of a message, besides its turn's deviation: the turn's form. */
export interface Notes {
  /** The timestamp is in seconds. */
  seconds?: true;
  /** `content` is a plain string, or the text is only in the tool result. */
  textIn?: "string" | "result";
  /** The message has a turn, which we would not write by default. */
  carried?: true;
  /** The details are the `output` or `error` of the tool result. */
  detailsIn?: "result";
}

export function readNotes({ seconds, textIn, detailsIn, carried }: JsonObject): Notes {
  return {
    ...(seconds === true ? { seconds } : {}),
    ...(textIn === "string" || textIn === "result" ? { textIn } : {}),
    ...(detailsIn === "result" ? { detailsIn } : {}),
    ...(carried === true ? { carried } : {}),
  };
}

/** Compared member by member, so that one unknown member does not duplicate the others in the notes. */
const MEMBERS: ReadonlySet<string> = new Set(["metadata", "toolCall", "toolResult"]);
const COMPARISON = { inside: MEMBERS };

/** Adds notes on a turn's form and its differences from the turn that we would write. Returns the message. */
export function noteTurn(
  message: AgentMessage,
  notes: Notes,
  turn: JsonRecord,
  written: JsonRecord,
): AgentMessage {
  const found = deviations(turn, written, COMPARISON);
  if (found !== undefined) addNotes(message, { ...notes, ...asTree(found, turn) });
  else if (!isEmpty(notes)) addNotes(message, notes);
  return message;
}

/** The original turn, except that the message decides the role, and, if `isAnswered`, the call id of a result. */
export function restoreTurn(written: JsonRecord, notes: JsonObject, isAnswered: boolean): JsonRecord {
  const noted = fromTree(notes, written);
  const turn = restore(written, isAnswered ? withoutCallId(noted) : noted);
  if (turn !== written) turn["role"] = written["role"];
  return turn;
}

function withoutCallId(noted: Deviation): JsonObject {
  const { inside = {}, ...rest } = noted;
  const toolResult = forget({ ...inside["toolResult"] }, "toolCallId");
  return { ...forget(rest, "toolResult"), inside: { ...inside, toolResult } };
}

/** The stored form of a deviation: one tree of fields, including members' fields, and pointers to absent ones. */
function asTree({ fields = {}, inside = {}, absent = [] }: Deviation, turn: JsonRecord) {
  const tree: JsonObject = {};
  const pointers: string[] = [];
  for (const key of Object.keys(turn)) {
    const members = own(inside, key);
    const value = members === undefined ? own(fields, key) : members.fields;
    if (value !== undefined) setOwn(tree, key, value);
    for (const name of members?.absent ?? []) pointers.push(`/${key}/${name}`);
  }
  for (const name of absent) pointers.push(`/${name}`);
  return { turn: isEmpty(tree) ? undefined : tree, absent: pointers };
}

function fromTree({ turn, absent }: JsonObject, written: JsonRecord): Deviation {
  const { inside = {}, fields = {}, ...top } = fromPointers({}, absent);
  for (const [key, value] of Object.entries(isObject(turn) ? turn : {})) {
    const isMerged = MEMBERS.has(key) && isObject(value) && isObject(written[key]);
    if (isMerged) inside[key] = { ...inside[key], fields: value };
    else setOwn(fields, key, value);
  }
  return { ...top, fields, inside };
}
