import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { ownAttributes } from "./attributes.js";
import { encodeMessage, partsOf, roleOf, wireRole } from "./encode-message.js";
import { spell } from "./list-text.js";
import { notesOf } from "./notes.js";
import { INPUT, LISTS, type ListKey, markBare, OUTPUT, plainRole, SYSTEM } from "./wire.js";

/** The messages of one wire message. */
type Group = [AgentMessage, ...AgentMessage[]];

/** All messages are one document. */
export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  if (unit.length === 0) return [];
  const [first] = unit;
  const session = first?.role === "session" ? first : undefined;
  const groups = groupsOf(unit);
  if (session === undefined && groups.length === 0) return [];
  const isList = session === undefined && notesOf(groups[0]?.[0])["bare"] === true;
  if (isList) return [markBare({ [INPUT]: groups.map((group) => encodeMessage(group, "input")) })];
  return [encodeDocument(session, groups)];
}

function groupsOf(messages: readonly AgentMessage[]): Group[] {
  const groups: Group[] = [];
  for (const message of messages) {
    if (wireRole(message) === undefined) continue;
    const group = groups.at(-1);
    if (group !== undefined && isPartOf(group, message)) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** Whether it was in the wire message of the one before it, and would be read from there as the same message. */
function isPartOf(group: Group, message: AgentMessage): boolean {
  const [first] = group;
  if (notesOf(message)["merged"] !== true || first.role === "compaction") return false;
  if (message.role === "toolResult") return true;
  return group.at(-1)?.role === "toolResult" && wireRole(message) === plainRole(roleOf(first));
}

function encodeDocument(session: SessionMessage | undefined, groups: readonly Group[]): JsonRecord {
  const [prompt] = groups[0] ?? [];
  const hasPrompt = prompt?.role === "system" && groups[0]?.length === 1 && notesOf(prompt)["input"] !== true;
  const rest = hasPrompt ? groups.slice(1) : groups;
  const outputStart = outputStartOf(rest);
  const [input, output] = [rest.slice(0, outputStart), rest.slice(outputStart)];
  const isWhole = output.flat().length === 1;
  const lists: Record<ListKey, unknown[]> = {
    [SYSTEM]: hasPrompt ? partsOf(prompt) : [],
    [INPUT]: input.map((group) => encodeMessage(group, "input")),
    [OUTPUT]: output.map((group) => encodeMessage(group, isWhole ? "whole output" : "output")),
  };
  const { document, span, texts, empty } = notesOf(session);
  const attributes = restore(ownAttributes(session, output.flat()), document);
  const written: JsonObject = {};
  for (const key of LISTS) {
    const list = lists[key];
    const isWanted = list.length > 0 || (Array.isArray(empty) && empty.includes(key));
    const spelling = isObject(texts) ? texts[key] : undefined;
    if (isWanted) written[key] = isString(spelling) ? spell(list, spelling) : list;
  }
  // Without any of the lists it would not be a document that we read.
  if (isEmpty(written)) written[INPUT] = [];
  const all = { ...written, ...withoutLists(attributes) };
  return isObject(span) ? { ...span, attributes: all } : all;
}

/** Notes come from files: they must not replace messages. */
function withoutLists(attributes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).filter(([key]) => !LISTS.some((list) => list === key)),
  );
}

/** The output is the answer at the end, with the messages before it that were in the output. */
function outputStartOf(groups: readonly Group[]): number {
  const [last] = groups.at(-1) ?? [];
  if (last === undefined) return 0;
  const notes = notesOf(last);
  const isAnswer = last.role === "assistant" && notes["input"] !== true;
  if (!isAnswer && notes["output"] !== true) return groups.length;
  let start = groups.length - 1;
  while (start > 0 && notesOf(groups[start - 1]?.[0])["output"] === true) start--;
  return start;
}
