import { type ConversationInfo, ESCROW, type Framing, type JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { joinPointer } from "../../core/json/pointer.js";
import { isObject, isString, type JsonObject, sameJson, setOwn } from "../../core/json/value.js";
import { activeLast, childrenOf, distinctKeys } from "../../core/records/keyed-tree.js";
import { isLeaf, leafRecords } from "../../core/records/leaf-record.js";
import { soleConversation } from "../../core/records/sole-conversation.js";
import { instantOfSeconds } from "../../core/time.js";
import { type HeaderRecord, isCall, isHeader, isNode, type NodeRecord } from "./wire.js";

/**
 * Record 0 is the conversation; the other records are its nodes with a message, the active branch last. One more names the
 * leaf if it is not the last node.
 */
export const framing: Framing = {
  kind: "document",
  split,
  join,
  pointer: () => "",
  pointers,
  conversation: describe,
};

function split(document: unknown): unknown[] {
  const { conversation, at } = soleConversation(document);
  const mapping = mappingOf(conversation, at);
  const keys = orderOf(conversation, mapping);
  const { mapping: _, current_node: leaf, [ESCROW]: escrow, ...rest } = conversation;
  const named = leafRecords(leaf, keys);
  const isKnown = named.length > 0 || (leaf === keys.at(-1) && keys.length > 0);
  const structure: JsonObject = {};
  const isMessage = new Set(keys);
  for (const key of Object.keys(mapping)) if (!isMessage.has(key)) setOwn(structure, key, mapping[key]);
  const header: HeaderRecord = {
    conversation: {
      ...rest,
      mapping: structure,
      ...(leaf === undefined || isKnown ? {} : { current_node: leaf }),
    },
    ...(at === "" ? {} : { isMember: true }),
    ...(leaf === undefined ? { isLeafless: true } : {}),
    ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
  };
  return [header, ...nodeRecords(mapping, keys), ...named];
}

function mappingOf(conversation: JsonObject, at: string): JsonObject {
  const { mapping } = conversation;
  if (isObject(mapping)) return mapping;
  const found = mapping === undefined ? "" : "/mapping";
  throw new DragomanError("model/invalid", 'expected an object with the messages in "mapping"', {
    at: `${at}${found}`,
    hint: "pass conversations.json of a ChatGPT export, or one conversation of it",
  });
}

/** The keys of the nodes that have a message, in the order of the records. */
function orderOf(conversation: JsonObject, mapping: JsonObject): string[] {
  const parentOf = ancestors(mapping);
  const parents = new Map<string, string | null>();
  for (const key of Object.keys(mapping)) if (hasMessage(mapping[key])) parents.set(key, parentOf(key));
  const leaf = conversation["current_node"];
  return activeLast(parents, isString(leaf) ? leaf : undefined);
}

function nodeRecords(mapping: JsonObject, keys: readonly string[]): NodeRecord[] {
  const parentOf = ancestors(mapping);
  const children = childrenOf(keys.map((key) => [key, parentIn(mapping[key])]));
  return keys.flatMap((key) => {
    const whole = mapping[key];
    if (!isObject(whole)) return [];
    const { children: listed, [ESCROW]: escrow, ...node } = whole;
    const parent = parentOf(key);
    const before = parent === null ? undefined : mapping[parent];
    const isDerived = sameJson(listed, children.get(key) ?? []);
    const record: NodeRecord = {
      node: listed === undefined || isDerived ? node : { ...node, children: listed },
      parent,
      ...(isObject(before) && isCall(before) ? { isAnswer: true } : {}),
      ...(node["id"] === key ? {} : { key }),
      ...(listed === undefined ? { isChildless: true } : {}),
      ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
    };
    return [record];
  });
}

/** Finds the closest ancestor with a message. Each node is passed once, however long the chains are. */
function ancestors(mapping: JsonObject): (key: string) => string | null {
  const known = new Map<string, string | null>();
  return (key) => {
    const passed = new Set<string>();
    let next = parentIn(mapping[key]);
    while (next !== null && Object.hasOwn(mapping, next) && !hasMessage(mapping[next])) {
      if (known.has(next) || passed.has(next)) {
        // In a circle of nodes without messages there is no ancestor.
        next = known.get(next) ?? null;
        break;
      }
      passed.add(next);
      next = parentIn(mapping[next]);
    }
    for (const one of passed) known.set(one, next);
    return next;
  };
}

function parentIn(node: unknown): string | null {
  return isObject(node) && isString(node["parent"]) ? node["parent"] : null;
}

function hasMessage(node: unknown): boolean {
  return isObject(node) && isObject(node["message"]);
}

function pointers(document: unknown): string[] {
  const { conversation, at } = soleConversation(document);
  const mapping = mappingOf(conversation, at);
  const keys = orderOf(conversation, mapping);
  const named = leafRecords(conversation["current_node"], keys).map(() => `${at}/current_node`);
  return [at, ...keys.map((key) => joinPointer(`${at}/mapping`, key)), ...named];
}

function join(records: readonly JsonRecord[]): unknown {
  const header = records.find(isHeader) ?? { conversation: {} };
  const nodes = records.filter(isNode);
  const keys = distinctKeys(nodes.map(keyOf));
  const children = childrenOf(nodes.map(({ node }, index) => [keys[index] ?? "", parentIn(node)]));
  const mapping: JsonObject = {
    ...(isObject(header.conversation["mapping"]) ? header.conversation["mapping"] : {}),
  };
  for (const [index, record] of nodes.entries()) {
    const { node, isChildless, [ESCROW]: escrow } = record;
    const key = keys[index] ?? "";
    const hasOwn = isChildless === true || node["children"] !== undefined;
    setOwn(mapping, key, {
      ...node,
      ...(hasOwn ? {} : { children: children.get(key) ?? [] }),
      ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
    });
  }
  const { [ESCROW]: escrow } = header;
  const leaf = records.findLast(isLeaf)?.leaf ?? keys.at(-1);
  const { current_node: named = leaf } = header.conversation;
  const conversation = {
    ...header.conversation,
    mapping,
    ...(header.isLeafless === true || named === undefined ? {} : { current_node: named }),
    ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
  };
  return header.isMember === true ? [conversation] : conversation;
}

function keyOf({ key, node: { id } }: NodeRecord, index: number): string {
  return key ?? (isString(id) ? id : `message-${index}`);
}

function describe(value: unknown): ConversationInfo {
  if (!isObject(value)) return { messages: 0 };
  const { title, create_time: seconds, mapping } = value;
  const id = value["conversation_id"] ?? value["id"];
  const created = instantOfSeconds(seconds);
  return {
    ...(isString(id) ? { id } : {}),
    ...(isString(title) && title !== "" ? { title } : {}),
    ...(created === undefined ? {} : { created }),
    messages: isObject(mapping) ? Object.values(mapping).filter(hasMessage).length : 0,
  };
}
