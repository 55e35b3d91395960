import { type ConversationInfo, ESCROW, type Framing, type JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { joinPointer } from "../../core/json/pointer.js";
import { isObject, isString, type JsonObject, sameJson, setOwn } from "../../core/json/value.js";
import { activeLast, childrenOf, distinctKeys, isParentsFirst } from "../../core/records/keyed-tree.js";
import { isLeaf, leafRecords } from "../../core/records/leaf-record.js";
import { soleConversation } from "../../core/records/sole-conversation.js";
import { instantOfSeconds } from "../../core/time.js";
import { type HeaderRecord, isHeader, isMessage, type MessageRecord, objectIn, stepsIn } from "./wire.js";

/** Record 0 is the chat; the other records are its messages. A last one names the leaf if it is not the last message. */
export const framing: Framing = {
  kind: "document",
  split,
  join,
  pointer: () => "",
  pointers,
  conversation: describe,
};

interface Parts {
  entry: JsonObject;
  chat: JsonObject;
  history: JsonObject;
  messages: JsonObject;
  /** The pointer to the messages. */
  at: string;
  isBare: boolean;
}

function partsOf(document: unknown): Parts {
  const { conversation, at: above } = soleConversation(document);
  const isBare = !Object.hasOwn(conversation, "chat");
  const entry = isBare ? { chat: conversation } : conversation;
  const chat = objectIn(entry, "chat");
  const history = objectIn(chat, "history");
  const at = `${above}${isBare ? "" : "/chat"}/history/messages`;
  const { messages } = history;
  if (isObject(messages)) return { entry, chat, history, messages, at, isBare };
  throw new DragomanError(
    "model/invalid",
    'expected an object with the messages in "chat.history.messages"',
    {
      at: messages === undefined ? above : at,
      hint: "pass a file that Open WebUI exported",
    },
  );
}

function split(document: unknown): unknown[] {
  const { entry, chat, history, messages, isBare } = partsOf(document);
  const keys = orderOf(history, messages);
  const records = messageRecords(messages, keys);
  const { messages: _, currentId: leaf, ...restOfHistory } = history;
  if (statedOrder(history, keyOrder(history, messages)) !== undefined)
    Reflect.deleteProperty(restOfHistory, ORDER);
  const { history: __, messages: list, ...restOfChat } = chat;
  const { chat: ___, [ESCROW]: escrow, ...restOfEntry } = isBare ? { ...entry, ...pickEscrow(chat) } : entry;
  if (isBare) Reflect.deleteProperty(restOfChat, ESCROW);
  const named = leafRecords(leaf, keys);
  const isLast = leaf === (keys.at(-1) ?? null);
  const others: JsonObject = {};
  const known = new Set(keys);
  for (const key of Object.keys(messages)) if (!known.has(key)) setOwn(others, key, messages[key]);
  const isRepeated = list !== undefined && sameJson(list, activePath(messages, leaf));
  const ownHistory = {
    ...restOfHistory,
    ...(Object.keys(others).length > 0 ? { messages: others } : {}),
    ...(leaf === undefined || isLast || named.length > 0 ? {} : { currentId: leaf }),
  };
  const header: HeaderRecord = {
    entry: {
      ...restOfEntry,
      chat: {
        ...restOfChat,
        ...(Object.keys(ownHistory).length > 0 ? { history: ownHistory } : {}),
        ...(list === undefined || isRepeated ? {} : { messages: list }),
      },
    },
    ...(Array.isArray(document) ? {} : { isAlone: true }),
    ...(isBare ? { isBare: true } : {}),
    ...(leaf === undefined ? { isLeafless: true } : {}),
    ...(isRepeated ? { isRepeated: true } : {}),
    ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
  };
  return [header, ...records, ...named];
}

function pickEscrow(chat: JsonObject): JsonObject {
  return Object.hasOwn(chat, ESCROW) ? { [ESCROW]: chat[ESCROW] } : {};
}

function orderOf(history: JsonObject, messages: JsonObject): string[] {
  const keys = keyOrder(history, messages);
  return statedOrder(history, keys) ?? keys;
}

/** The order that the keys and the tree have. */
function keyOrder({ currentId: leaf }: JsonObject, messages: JsonObject): string[] {
  const parents = new Map<string, string | null>();
  for (const key of Object.keys(messages))
    if (isObject(messages[key])) parents.set(key, parentIn(messages[key]));
  if (isParentsFirst(parents)) return [...parents.keys()];
  return activeLast(parents, isString(leaf) ? leaf : undefined);
}

/** The field of a history with the order of its messages, if their keys do not have it: an object sorts keys that are numbers. */
const ORDER = "x-dragoman-order";

/** Undefined if the history does not state another order of these keys. */
function statedOrder(history: JsonObject, keys: readonly string[]): string[] | undefined {
  const stated = history[ORDER];
  if (!Array.isArray(stated) || !stated.every(isString) || stated.length !== keys.length) return undefined;
  const known = new Set(stated);
  const isOther = stated.some((key, index) => key !== keys[index]);
  return isOther && known.size === keys.length && keys.every((key) => known.has(key)) ? stated : undefined;
}

function messageRecords(messages: JsonObject, keys: readonly string[]): MessageRecord[] {
  const children = childrenOf(keys.map((key) => [key, parentIn(messages[key])]));
  const derived = distinctKeys(keys.map((key) => idOf(messages[key]) ?? key));
  return keys.flatMap((key, index) => {
    const whole = messages[key];
    if (!isObject(whole)) return [];
    const { childrenIds: listed, [ESCROW]: escrow, ...message } = whole;
    const isDerived = listed === undefined || sameJson(listed, children.get(key) ?? []);
    const record: MessageRecord = {
      message: isDerived ? message : { ...message, childrenIds: listed },
      ...(idOf(message) !== undefined && derived[index] === key ? {} : { key }),
      ...(listed === undefined ? { isChildless: true } : {}),
      ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
    };
    return [record];
  });
}

function parentIn(message: unknown): string | null {
  return isObject(message) && isString(message["parentId"]) ? message["parentId"] : null;
}

/** The messages from the root to the leaf. */
function activePath(messages: JsonObject, leaf: unknown): unknown[] {
  const path: unknown[] = [];
  const passed = new Set<string>();
  let next = isString(leaf) ? leaf : null;
  while (next !== null && Object.hasOwn(messages, next) && !passed.has(next)) {
    passed.add(next);
    path.push(messages[next]);
    next = parentIn(messages[next]);
  }
  return path.reverse();
}

function pointers(document: unknown): string[] {
  const { history, messages, at } = partsOf(document);
  const above = Array.isArray(document) ? "/0" : "";
  const keys = orderOf(history, messages);
  const named = leafRecords(history["currentId"], keys).map(() => at.replace(/messages$/, "currentId"));
  return [above, ...keys.map((key) => joinPointer(at, key)), ...named];
}

function join(records: readonly JsonRecord[]): unknown {
  const header = records.find(isHeader) ?? { ...records.find(isOnlyEscrow), entry: {} };
  const written = records.filter(isMessage);
  const keys = distinctKeys(written.map(keyOf));
  const children = childrenOf(written.map(({ message }, index) => [keys[index] ?? "", parentIn(message)]));
  const { chat: _, ...entry } = header.entry;
  const { history: __, ...chat } = objectIn(header.entry, "chat");
  const history = objectIn(objectIn(header.entry, "chat"), "history");
  const messages: JsonObject = { ...objectIn(history, "messages") };
  for (const [index, record] of written.entries()) {
    const { message, isChildless, [ESCROW]: escrow } = record;
    const key = keys[index] ?? "";
    const hasOwn = isChildless === true || message["childrenIds"] !== undefined;
    setOwn(messages, key, {
      ...message,
      ...(hasOwn ? {} : { childrenIds: children.get(key) ?? [] }),
      ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
    });
  }
  const { currentId = leafIn(records, written, keys) } = history;
  const leaf = header.isLeafless === true ? {} : { currentId };
  const isOrdered = sameJson(keyOrder(leaf, messages), keys);
  const { [ESCROW]: escrow } = header;
  const sealed = escrow === undefined ? {} : { [ESCROW]: escrow };
  const whole = {
    ...chat,
    history: { ...history, messages, ...leaf, ...(isOrdered ? {} : { [ORDER]: keys }) },
    ...(header.isRepeated === true ? { messages: activePath(messages, currentId) } : {}),
  };
  const conversation =
    header.isBare === true ? { ...whole, ...sealed } : { ...entry, chat: whole, ...sealed };
  return header.isAlone === true ? conversation : [conversation];
}

/** Whether a record only carries a conversation of which nothing could be written. */
function isOnlyEscrow(record: JsonRecord): boolean {
  return Object.keys(record).every((key) => key === ESCROW);
}

function keyOf({ key, message }: MessageRecord, index: number): string {
  return key ?? idOf(message) ?? `message-${index}`;
}

function idOf(message: unknown): string | undefined {
  return isObject(message) && isString(message["id"]) ? message["id"] : undefined;
}

/** The key of the named leaf, or of the record of which it is a step; otherwise the last key. */
function leafIn(
  records: readonly JsonRecord[],
  messages: readonly MessageRecord[],
  keys: readonly string[],
): string | null {
  const last = keys.at(-1) ?? null;
  const named = records.findLast(isLeaf)?.leaf;
  if (named === undefined || keys.includes(named)) return named ?? last;
  const index = messages.findLastIndex(({ message }) => stepsIn(message).includes(named));
  return keys[index] ?? last;
}

function describe(value: unknown): ConversationInfo {
  if (!isObject(value)) return { messages: 0 };
  const chat = Object.hasOwn(value, "chat") ? objectIn(value, "chat") : value;
  const title = value["title"] ?? chat["title"];
  const { id } = value;
  const created = instantOfSeconds(value["created_at"]);
  const messages = objectIn(chat, "history")["messages"];
  return {
    ...(isString(id) ? { id } : {}),
    ...(isString(title) && title !== "" ? { title } : {}),
    ...(created === undefined ? {} : { created }),
    messages: isObject(messages) ? Object.keys(messages).length : 0,
  };
}
