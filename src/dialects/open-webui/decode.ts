import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { neutralOrigin } from "../../core/message/neutral.js";
import { deviations, sorted } from "../../core/records/deviation.js";
import { isLeaf, readLeaf } from "../../core/records/leaf-record.js";
import { instantOfSeconds } from "../../core/time.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  CustomMessage,
  SessionMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { readFile } from "./blocks.js";
import { ourEntry, ourMessage, stepId } from "./encode.js";
import { readItem, readResult } from "./items.js";
import { extWith, notesOf } from "./notes.js";
import { type HeaderRecord, isHeader, isMessage, type MessageRecord, NAME, objectIn } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.flatMap((record, index): Decoded[] => {
    if (isHeader(record)) return decodeHeader(record).map((message) => ({ message, record: index }));
    if (isMessage(record))
      return decodeRecord(record, `/${index}`).map((message) => ({ message, record: index }));
    if (isLeaf(record)) return [{ message: readLeaf(record), record: index }];
    throw new DragomanError("model/invalid", "expected a message", { at: `/${index}` });
  });
}

/** A chat that states nothing about itself has no session. */
function decodeHeader({ entry, ...record }: HeaderRecord): SessionMessage[] {
  if (isEmpty(record) && isEmpty(objectIn(entry, "chat")) && Object.keys(entry).length < 2) return [];
  // In the older form, and in files written by hand, only the chat has them.
  const { title, created_at: time } = { ...objectIn(entry, "chat"), ...entry };
  const { id } = entry;
  const timestamp = instantOfSeconds(time);
  const session: SessionMessage = {
    role: "session",
    ...(isString(id) ? { id } : {}),
    ...(isString(title) ? { title } : {}),
    timestamp: timestamp ?? 0,
  };
  const deviation = sorted(deviations(entry, ourEntry(session), { inside: "all" }));
  const synthesised = timestamp === undefined ? ["/timestamp"] : [];
  return [
    { ...session, ...extWith({ ...deviation, record: isEmpty(record) ? undefined : record }, synthesised) },
  ];
}

function decodeRecord({ message, ...record }: MessageRecord, at: string): AgentMessage[] {
  const { role, timestamp: time } = message;
  if (!isString(role)) {
    throw new DragomanError("model/invalid", 'expected the role of the message in "role"', {
      at: role === undefined ? at : `${at}/role`,
    });
  }
  const id = record.key ?? message["id"];
  const { parentId } = message;
  const timestamp = instantOfSeconds(time);
  const identity: Identity = {
    timestamp: timestamp ?? 0,
    ...(isString(id) ? { id } : {}),
    parentId: isString(parentId) ? parentId : null,
  };
  const synthesised = timestamp === undefined ? ["/timestamp"] : [];
  const messages = messagesOf(role, message, identity, synthesised);
  const [first, ...rest] = messages;
  if (first === undefined) return [];
  const deviation = sorted(deviations(message, ourMessage(messages) ?? {}, { guarded: true }));
  const beside = isEmpty(record) ? undefined : record;
  const notes = { ...notesOf(first), ...deviation, record: beside };
  return [{ ...first, ...extWith(notes, first.ext?.synthesised) }, ...rest];
}

interface Identity {
  timestamp: number;
  id?: string;
  parentId: string | null;
}

function messagesOf(
  role: string,
  message: JsonObject,
  identity: Identity,
  synthesised: string[],
): AgentMessage[] {
  const { content } = message;
  if (role === "user" && isString(content)) return [question(message, content, identity, synthesised)];
  if (role === "assistant" && isString(content)) return answers(message, content, identity, synthesised);
  const data = { role, ...(content === undefined ? {} : { content }) };
  const custom: CustomMessage = { role: "custom", customType: `${NAME}/${role}`, data, ...identity };
  return [{ ...custom, ...extWith({}, synthesised) }];
}

function question(
  { files }: JsonObject,
  content: string,
  identity: Identity,
  synthesised: string[],
): UserMessage {
  const attached: UserContent[] = Array.isArray(files) ? files.map(readFile) : [];
  const text: UserContent[] = content === "" ? [] : [{ type: "text", text: content }];
  return {
    role: "user",
    content: attached.length === 0 ? content : [...text, ...attached],
    ...identity,
    ...extWith({}, synthesised),
  };
}

/** The steps of an answer, in `output`. The last one has the id of the record, the others those of their items. */
function answers(
  message: JsonObject,
  content: string,
  identity: Identity,
  synthesised: string[],
): AgentMessage[] {
  const { output, model, error } = message;
  const items: unknown[] = Array.isArray(output) ? output : [];
  const steps: { first: unknown; step: AssistantContent[] | ReturnType<typeof readResult> }[] = [];
  for (const item of items) {
    const result = readResult(item);
    const last = steps.at(-1)?.step;
    if (result !== undefined) steps.push({ first: item, step: result });
    else if (Array.isArray(last)) last.push(readItem(item));
    else steps.push({ first: item, step: [readItem(item)] });
  }
  if (steps.length === 0)
    steps.push({ first: undefined, step: content === "" ? [] : [{ type: "text", text: content }] });
  let parentId = identity.parentId;
  return steps.map(({ first, step }, index): AgentMessage => {
    const isLast = index === steps.length - 1;
    const id = isLast ? identity.id : (idOf(first) ?? stepId(identity.id, index));
    const own = { timestamp: identity.timestamp, ...(id === undefined ? {} : { id }), parentId };
    parentId = id ?? null;
    if (Array.isArray(step))
      return answer(step, own, { model, error: isLast ? error : undefined }, synthesised);
    const notes = {
      ...notesOf(step),
      ...(index === 0 ? { starts: true } : {}),
      ...(isLast ? { ends: true } : {}),
    };
    const missing = [...(step?.ext?.synthesised ?? []), ...synthesised];
    return {
      role: "toolResult",
      toolCallId: "",
      toolName: "",
      content: [],
      isError: false,
      ...step,
      ...own,
      ...extWith(notes, missing),
    };
  });
}

function idOf(item: unknown): string | undefined {
  return isObject(item) && isString(item["id"]) ? item["id"] : undefined;
}

function answer(
  content: AssistantContent[],
  own: Identity,
  { model, error }: { model: unknown; error: unknown },
  synthesised: string[],
): AssistantMessage {
  const failure = isObject(error) && isString(error["content"]) ? error["content"] : undefined;
  const failed = failure === undefined ? {} : { stopReason: "error" as const, errorMessage: failure };
  const missing = [
    "/api",
    "/provider",
    ...(isString(model) ? [] : ["/model"]),
    "/usage",
    ...(failure === undefined ? ["/stopReason"] : []),
  ];
  return {
    role: "assistant",
    content,
    ...neutralOrigin(content),
    ...(isString(model) ? { model } : {}),
    ...failed,
    ...own,
    ...extWith({}, [...missing, ...synthesised]),
  };
}
