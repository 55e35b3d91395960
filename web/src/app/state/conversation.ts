import type { Result, RpcPermissionRequest, RpcStored, WatchEvent } from "dragoman/client";
import {
  type AgentMessage,
  idsOf,
  isObject,
  noteOf,
  type UserContent,
  type UserMessage,
} from "dragoman/core";

/** Said here, and not known to be on the server's disk yet. */
export interface Outgoing {
  /** Its idempotency key. */
  key: string;
  content: string | UserContent[];
  timestamp: number;
  /** Why it was not accepted. */
  refused?: string;
}

/** What is known of one session: what is stored, what waits, what is under way. The growing answer is beside it. */
export interface Conversation {
  /** A part of the log without gaps, up to its end. */
  entries: readonly RpcStored[];
  /** Where `entries` begin. */
  start: number;
  /** There is something before `start`. */
  hasOlder: boolean;
  /** The run under way. */
  runId?: string;
  /** The names of the tools that run, by the ids of their calls. */
  tools: ReadonlyMap<string, string>;
  permissions: readonly RpcPermissionRequest[];
  /** Accepted while the agent was at work, and not taken yet. */
  queued: readonly UserMessage[];
  outbox: readonly Outgoing[];
}

type History = Result<"chat.history">;

export function opened({ messages, start, more }: History): Conversation {
  return {
    entries: messages,
    start,
    hasOlder: more,
    tools: new Map(),
    permissions: [],
    queued: waitingIn(messages),
    outbox: [],
  };
}

/** The page before is there, too. */
export function withOlder(conversation: Conversation, { messages, start, more }: History): Conversation {
  const entries = [...messages, ...conversation.entries];
  return { ...conversation, entries, start, hasOlder: more, queued: waitingIn(entries) };
}

export function happened(conversation: Conversation, event: WatchEvent): Conversation {
  switch (event.type) {
    case "message":
      return stored(conversation, event);
    case "run_start":
      return { ...conversation, runId: event.runId };
    case "run_end":
      return ended(conversation);
    // What a tool says while it runs can be a lot; its card shows it, and nothing changes here.
    case "tool_execution_start":
      return { ...conversation, tools: new Map(conversation.tools).set(event.toolCallId, event.toolName) };
    case "tool_execution_end":
      return { ...conversation, tools: without(conversation.tools, event.toolCallId) };
    case "permission":
      return { ...conversation, permissions: withPermission(conversation.permissions, event) };
    default:
      return conversation;
  }
}

export function sent(conversation: Conversation, message: Outgoing): Conversation {
  const others = withdrawn(conversation, message.key).outbox;
  return { ...conversation, outbox: [...others, message] };
}

export function refused(conversation: Conversation, key: string, why: string): Conversation {
  const outbox = conversation.outbox.map((one) => (one.key === key ? { ...one, refused: why } : one));
  return { ...conversation, outbox };
}

export function withdrawn(conversation: Conversation, key: string): Conversation {
  return { ...conversation, outbox: conversation.outbox.filter((one) => one.key !== key) };
}

/** The message that a message is shown with: a tool's result is shown with its call. Undefined when it is not loaded. */
export function shownAs({ entries }: Conversation, id: string): string | undefined {
  const at = entries.findLastIndex(({ message }) => message.id === id);
  const message = entries[at]?.message;
  if (message?.role !== "toolResult") return message?.id;
  const calls = ({ message: one }: RpcStored) =>
    one.role === "assistant" &&
    one.content.some((block) => block.type === "toolCall" && block.id === message.toolCallId);
  return entries.slice(0, at).findLast(calls)?.message.id;
}

/** What is shown of it: a status line only until something else is said. */
export function shownMessages(entries: readonly RpcStored[]): AgentMessage[] {
  const lastSaid = entries.findLastIndex(({ message }) => message.role !== "status");
  return entries.flatMap(({ message }, at) => (message.role === "status" && at < lastSaid ? [] : [message]));
}

/** The last thing a person said, and where. */
export function lastSaid({ entries }: Conversation): { message: UserMessage; position: number } | undefined {
  for (const { message, position } of entries.toReversed()) {
    if (message.role === "user") return { message, position };
  }
  return undefined;
}

function stored(conversation: Conversation, { message, position, next }: RpcStored): Conversation {
  const note = noteOf(message);
  const said = note?.type === "dragoman/inbox" ? note.data.message : message;
  const key = keyOf(said);
  const after = key === undefined ? conversation : withdrawn(conversation, key);
  return {
    ...after,
    entries: [...conversation.entries, { message, position, next }],
    queued: waitingAfter(conversation.queued, message),
  };
}

function ended({ runId: _, ...conversation }: Conversation): Conversation {
  return { ...conversation, tools: new Map(), permissions: [] };
}

function without(tools: Conversation["tools"], id: string): Conversation["tools"] {
  return new Map([...tools].filter(([one]) => one !== id));
}

function withPermission(
  permissions: Conversation["permissions"],
  event: Extract<WatchEvent, { type: "permission" }>,
): Conversation["permissions"] {
  return event.state === "asked"
    ? [...permissions, event.request]
    : permissions.filter(({ id }) => id !== event.id);
}

/** What a page says is waiting: the message itself always comes later than its note. */
function waitingIn(entries: readonly RpcStored[]): readonly UserMessage[] {
  let waiting: readonly UserMessage[] = [];
  for (const { message } of entries) waiting = waitingAfter(waiting, message);
  return waiting;
}

function waitingAfter(waiting: readonly UserMessage[], message: AgentMessage): readonly UserMessage[] {
  const note = noteOf(message);
  if (note?.type === "dragoman/inbox") return [...waiting, note.data.message];
  if (message.role !== "user" || waiting.length === 0) return waiting;
  const taken = new Set(idsOf(message));
  return waiting.filter(({ id }) => id === undefined || !taken.has(id));
}

/** The key by which whoever sent a message finds it again. */
function keyOf({ ext }: AgentMessage): string | undefined {
  const sending = ext?.["sent"];
  if (!isObject(sending)) return undefined;
  const { idempotencyKey } = sending;
  return typeof idempotencyKey === "string" ? idempotencyKey : undefined;
}
