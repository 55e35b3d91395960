import type { Result, RpcPermissionRequest, RpcStored, WatchEvent } from "dragoman/client";
import { type AgentMessage, idsOf, isObject, noteOf, type UserContent, type UserMessage } from "dragoman/core";

/** A tool that runs, or has ended and is about to be stored. */
export interface RunningTool {
  name: string;
  started: number;
  partialResult?: unknown;
}

/** Said here, and not known to be on the server's disk yet. */
export interface Outgoing {
  /** Its idempotency key. */
  key: string;
  content: string | UserContent[];
  timestamp: number;
  /** Why it was not accepted. */
  refused?: string;
}

/** What is known of one session: what is stored, what waits, what is under way. The growing answer is a `LiveAnswer` beside it. */
export interface Conversation {
  /** A part of the log without gaps, up to its end. */
  entries: readonly RpcStored[];
  /** Where `entries` begin. */
  start: number;
  /** There is something before `start`. */
  hasOlder: boolean;
  /** The run under way. */
  runId?: string;
  tools: ReadonlyMap<string, RunningTool>;
  permissions: readonly RpcPermissionRequest[];
  /** Accepted while the agent was at work, and not taken yet. */
  queued: readonly UserMessage[];
  outbox: readonly Outgoing[];
}

type History = Result<"chat.history">;
type ConversationEvent = Exclude<WatchEvent, { type: "delta" | "call" | "block" | "connection" }>;

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

export function happened(conversation: Conversation, event: ConversationEvent, now: number): Conversation {
  switch (event.type) {
    case "message":
      return stored(conversation, event);
    case "run":
      return event.state === "start" ? { ...conversation, runId: event.runId } : ended(conversation);
    case "tool":
      return { ...conversation, tools: withStep(conversation.tools, event.step, now) };
    case "permission":
      return { ...conversation, permissions: withPermission(conversation.permissions, event) };
  }
}

export function sent(conversation: Conversation, message: Outgoing): Conversation {
  return { ...withdrawn(conversation, message.key), outbox: [...conversation.outbox, message] };
}

export function refused(conversation: Conversation, key: string, why: string): Conversation {
  const outbox = conversation.outbox.map((one) => (one.key === key ? { ...one, refused: why } : one));
  return { ...conversation, outbox };
}

export function withdrawn(conversation: Conversation, key: string): Conversation {
  return { ...conversation, outbox: conversation.outbox.filter((one) => one.key !== key) };
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
    tools: message.role === "toolResult" ? without(conversation.tools, message.toolCallId) : conversation.tools,
  };
}

function ended({ runId: _, ...conversation }: Conversation): Conversation {
  return { ...conversation, tools: new Map(), permissions: [] };
}

function withStep(
  tools: Conversation["tools"],
  step: Extract<WatchEvent, { type: "tool" }>["step"],
  now: number,
): Conversation["tools"] {
  const before = tools.get(step.toolCallId) ?? { name: step.toolName, started: now };
  if (step.type === "tool_execution_end") return tools;
  const partial = step.type === "tool_execution_update" ? { partialResult: step.partialResult } : {};
  return new Map(tools).set(step.toolCallId, { ...before, ...partial });
}

function withPermission(
  permissions: Conversation["permissions"],
  event: Extract<WatchEvent, { type: "permission" }>,
): Conversation["permissions"] {
  return event.state === "asked"
    ? [...permissions, event.request]
    : permissions.filter(({ id }) => id !== event.id);
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
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
