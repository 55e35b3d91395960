import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import { writeLeaf } from "../../core/records/leaf-record.js";
import type { AgentMessage, AssistantMessage, SessionMessage, UserMessage } from "../../core/types.js";
import { writeFile } from "./blocks.js";
import { writeItem, writeResult } from "./items.js";
import { notesOf } from "./notes.js";
import { isMessage, NAME, stepsIn } from "./wire.js";

/** The steps of an answer are one record: its calls, their results and what follows them. */
export function joinsMessage(last: AgentMessage, next: AgentMessage): boolean {
  if (next.parentId !== undefined && next.parentId !== last.id) return false;
  if (next.role === "toolResult") {
    // A record has one error, which is that of its last answer.
    const isOpen = last.role === "assistant" ? last.stopReason !== "error" : last.role === "toolResult";
    return isOpen && notesOf(next)["starts"] !== true && !isEnd(last);
  }
  // A step without items would not be read again.
  return next.role === "assistant" && last.role === "toolResult" && !isEnd(last) && itemsOf(next).length > 0;
}

function isEnd(message: AgentMessage): boolean {
  return notesOf(message)["ends"] === true;
}

export function encode(unit: readonly AgentMessage[], _next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const [first] = unit;
  if (first === undefined) return [];
  const notes = notesOf(first);
  const beside = isObject(notes["record"]) ? notes["record"] : {};
  // There is one header: a later session message leaves no record.
  if (first.role === "session")
    return last === undefined ? [{ ...beside, entry: restore(ourEntry(first), notes) }] : [];
  const leaf = writeLeaf(first);
  // The last message is the leaf anyway, so that no record is read for it.
  if (leaf !== undefined) return isLastMessage(leaf.leaf, last) ? [] : [leaf];
  const linked = linkedTo(unit, last);
  const ours = ourMessage(linked);
  if (ours === undefined) return [];
  const { key, ...others } = beside;
  // Its key is the id of the record, which another message has if the last one was removed.
  const keyed = key === undefined || key === ours["id"] ? beside : others;
  return [{ ...keyed, message: restore(ours, notes) }];
}

function isLastMessage(id: string, last: JsonRecord | undefined): boolean {
  if (last === undefined || !isMessage(last)) return false;
  const { key = last.message["id"], message } = last;
  return id === key || stepsIn(message).includes(id);
}

/** The messages with the parent and the id that every record needs. */
function linkedTo(unit: readonly AgentMessage[], last: JsonRecord | undefined): AgentMessage[] {
  const before = last !== undefined && isMessage(last) ? (last["key"] ?? last.message["id"]) : undefined;
  const previous = isString(before) ? before : null;
  const [first, ...rest] = unit;
  if (first === undefined) return [];
  const linked = [{ ...first, parentId: first.parentId === undefined ? previous : first.parentId }, ...rest];
  const end = linked.at(-1);
  if (end === undefined || end.id !== undefined) return linked;
  return [...linked.slice(0, -1), { ...end, id: idAfter(previous) }];
}

/** `m7~1` follows `m7`, `m7~2` follows that. */
function idAfter(previous: string | null): string {
  const [, base = previous ?? "message", count = "0"] = /^(.*)~(\d{1,9})$/s.exec(previous ?? "") ?? [];
  return `${base}~${Number(count) + 1}`;
}

/** The chat as we would write it, without its messages. */
export function ourEntry({ id, title, timestamp }: SessionMessage): JsonObject {
  return {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    chat: title === undefined ? {} : { title },
    ...(timestamp === 0 ? {} : { created_at: Math.floor(timestamp / 1000) }),
  };
}

/** The record of one or more messages as we would write it, without its children. */
export function ourMessage(unit: readonly AgentMessage[]): JsonObject | undefined {
  const [first] = unit;
  const end = unit.at(-1);
  if (first === undefined || end === undefined) return undefined;
  const written = contentOf(first, unit);
  if (written === undefined) return undefined;
  const { role, content, ...others } = written;
  const { parentId = null, timestamp } = first;
  return {
    ...(end.id === undefined ? {} : { id: end.id }),
    parentId,
    role,
    content,
    ...(timestamp === 0 ? {} : { timestamp: Math.floor(timestamp / 1000) }),
    ...others,
  };
}

function contentOf(first: AgentMessage, unit: readonly AgentMessage[]): JsonObject | undefined {
  switch (first.role) {
    case "user":
      return questionOf(first);
    case "assistant":
    case "toolResult":
      return answerOf(unit);
    case "custom": {
      const isOwn = first.customType.startsWith(`${NAME}/`) && isObject(first.data);
      return isOwn && isObject(first.data) ? { ...first.data } : undefined;
    }
    default:
      return undefined;
  }
}

function questionOf({ content }: UserMessage): JsonObject {
  if (typeof content === "string") return { role: "user", content };
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const files = content.flatMap(writeFile);
  return { role: "user", content: texts.join("\n"), ...(isEmpty(files) ? {} : { files }) };
}

function answerOf(unit: readonly AgentMessage[]): JsonObject {
  const answers = unit.filter((message): message is AssistantMessage => message.role === "assistant");
  const texts = answers.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
  );
  const items = unit.flatMap((message, index) => {
    const own = itemsOf(message);
    const isImplied = message.id === stepId(unit.at(-1)?.id, index);
    return index === unit.length - 1 || isImplied ? own : identified(own, message.id);
  });
  const [only] = items;
  const isPlain =
    unit.length === 1 &&
    texts.length === items.length &&
    items.length < 2 &&
    isPlainItem(only) &&
    texts[0] !== "";
  const named = answers.find((answer) => answer.model !== "" && !isSynthesised(answer, "/model"));
  const failure = answers.at(-1);
  const isFailed = failure?.stopReason === "error" && failure.errorMessage !== undefined;
  return {
    role: "assistant",
    content: texts.join("\n"),
    ...(isPlain ? {} : { output: items }),
    ...(named === undefined ? {} : { model: named.model }),
    ...(isFailed ? { error: { content: failure.errorMessage } } : {}),
    done: true,
  };
}

function itemsOf(message: AgentMessage): unknown[] {
  if (message.role === "assistant") return message.content.flatMap(writeItem);
  return message.role === "toolResult" ? [writeResult(message)] : [];
}

/** The id of a step whose items have none. */
export function stepId(record: string | undefined, index: number): string {
  return `${record ?? ""}/${index}`;
}

/** The first item names the message, if it is not the last of its record. */
function identified([first, ...rest]: readonly unknown[], id: string | undefined): unknown[] {
  if (first === undefined) return [];
  return [isObject(first) && id !== undefined ? { ...first, id } : first, ...rest];
}

/** Whether an item states nothing that the text alone does not. */
function isPlainItem(item: unknown): boolean {
  return item === undefined || (isObject(item) && Object.keys(item).length === 4);
}
