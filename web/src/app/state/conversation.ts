import type { Result, RpcPermissionRequest, RpcStored, WatchEvent } from "dragoman/client";
import {
  type AgentMessage,
  idsOf,
  isObject,
  noteOf,
  type UserContent,
  type UserMessage,
} from "dragoman/core";

/** A message sent here that the server has not confirmed as stored. */
export interface Outgoing {
  /** Its idempotency key. */
  key: string;
  content: string | UserContent[];
  timestamp: number;
  /** Why the server rejected it. */
  refused?: string;
}

/** The state of an open session: stored entries, queued messages and the current run. The streaming answer is kept apart. */
export interface Conversation {
  /** A contiguous part of the log, up to its end. */
  entries: readonly RpcStored[];
  /** The position of the first entry. */
  start: number;
  /** There are entries before `start`. */
  hasOlder: boolean;
  /** The current run. */
  runId?: string;
  /** The names of the running tools, by call id. */
  tools: ReadonlyMap<string, string>;
  permissions: readonly RpcPermissionRequest[];
  /** Accepted while the agent was working, and not read yet. */
  queued: readonly UserMessage[];
  outbox: readonly Outgoing[];
}

type History = Result<"chat.history">;
export type Branch = Result<"sessions.branches">["branches"][number];

export function conversationOf({ messages, start, more }: History): Conversation {
  return {
    entries: messages,
    start,
    hasOlder: more,
    tools: new Map(),
    permissions: [],
    queued: queuedIn(messages),
    outbox: [],
  };
}

export function withOlder(conversation: Conversation, { messages, start, more }: History): Conversation {
  const entries = [...messages, ...conversation.entries];
  return { ...conversation, entries, start, hasOlder: more, queued: queuedIn(entries) };
}

export function withEvent(conversation: Conversation, event: WatchEvent): Conversation {
  switch (event.type) {
    case "message":
      return withStored(conversation, event);
    case "run_start":
      return { ...conversation, runId: event.runId };
    case "run_end":
      return withoutRun(conversation);
    // Tool output can be large and is shown by the tool's card, so updates do not change the state.
    case "tool_execution_start":
      return { ...conversation, tools: new Map(conversation.tools).set(event.toolCallId, event.toolName) };
    case "tool_execution_end": {
      const running = [...conversation.tools].filter(([id]) => id !== event.toolCallId);
      return { ...conversation, tools: new Map(running) };
    }
    case "permission":
      return { ...conversation, permissions: withPermission(conversation.permissions, event) };
    default:
      return conversation;
  }
}

export function withOutgoing(conversation: Conversation, message: Outgoing): Conversation {
  const others = withoutOutgoing(conversation, message.key).outbox;
  return { ...conversation, outbox: [...others, message] };
}

export function refused(conversation: Conversation, key: string, why: string): Conversation {
  const outbox = conversation.outbox.map((one) => (one.key === key ? { ...one, refused: why } : one));
  return { ...conversation, outbox };
}

export function withoutOutgoing(conversation: Conversation, key: string): Conversation {
  return { ...conversation, outbox: conversation.outbox.filter((one) => one.key !== key) };
}

/** The id of the row that shows a message: a tool result is shown with its call. Undefined if it is not loaded. */
export function shownIdOf({ entries }: Conversation, id: string): string | undefined {
  const at = entries.findLastIndex(({ message }) => message.id === id);
  const message = entries[at]?.message;
  if (message?.role !== "toolResult") return message?.id;
  const calls = ({ message: one }: RpcStored) =>
    one.role === "assistant" &&
    one.content.some((block) => block.type === "toolCall" && block.id === message.toolCallId);
  return entries.slice(0, at).findLast(calls)?.message.id;
}

/** The messages to show: a status message only until another message follows. */
export function shownMessages(entries: readonly RpcStored[]): AgentMessage[] {
  const lastOther = entries.findLastIndex(({ message }) => message.role !== "status");
  return entries.flatMap(({ message }, at) => (message.role === "status" && at < lastOther ? [] : [message]));
}

/** The user's last message and its position. */
export function lastUserMessage(state: Conversation): { message: UserMessage; position: number } | undefined {
  for (const { message, position } of state.entries.toReversed()) {
    if (message.role === "user") return { message, position };
  }
  return undefined;
}

/** The branch whose continuations begin with a message: the first one that is shown after what they share. */
export function branchAt(
  { entries, hasOlder }: Conversation,
  branches: readonly Branch[],
  message: AgentMessage,
): Branch | undefined {
  return branches.find(({ after }) => {
    const shared = entries.findIndex((entry) => entry.message.id === after);
    if (after === undefined ? hasOlder : shared < 0) return false;
    const first = entries.slice(after === undefined ? 0 : shared + 1).find(isSpoken);
    return first?.message === message;
  });
}

function isSpoken({ message: { role } }: RpcStored): boolean {
  return role === "user" || role === "assistant";
}

function withStored(conversation: Conversation, { message, position, next }: RpcStored): Conversation {
  const note = noteOf(message);
  const key = keyOf(note?.type === "dragoman/inbox" ? note.data.message : message);
  const after = key === undefined ? conversation : withoutOutgoing(conversation, key);
  return {
    ...after,
    entries: [...conversation.entries, { message, position, next }],
    queued: queuedAfter(conversation.queued, message),
  };
}

/** Permission requests end by events of their own: those of a run that was cut off by a restart stay open. */
function withoutRun({ runId: _, ...conversation }: Conversation): Conversation {
  return { ...conversation, tools: new Map() };
}

function withPermission(
  permissions: Conversation["permissions"],
  event: Extract<WatchEvent, { type: "permission" }>,
): Conversation["permissions"] {
  return event.state === "asked"
    ? [...permissions, event.request]
    : permissions.filter(({ id }) => id !== event.id);
}

/** The queued messages of a page: a message always follows its inbox note. */
function queuedIn(entries: readonly RpcStored[]): readonly UserMessage[] {
  let queued: readonly UserMessage[] = [];
  for (const { message } of entries) queued = queuedAfter(queued, message);
  return queued;
}

function queuedAfter(queued: readonly UserMessage[], message: AgentMessage): readonly UserMessage[] {
  const note = noteOf(message);
  if (note?.type === "dragoman/inbox") return [...queued, note.data.message];
  if (message.role !== "user" || queued.length === 0) return queued;
  const read = new Set(idsOf(message));
  return queued.filter(({ id }) => id === undefined || !read.has(id));
}

/** The idempotency key that the sender gave the message. */
function keyOf({ ext }: AgentMessage): string | undefined {
  const sending = ext?.["sent"];
  if (!isObject(sending)) return undefined;
  const { idempotencyKey } = sending;
  return typeof idempotencyKey === "string" ? idempotencyKey : undefined;
}
