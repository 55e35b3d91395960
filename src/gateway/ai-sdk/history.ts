import type { JsonObject } from "../../core/json/value.js";
import { idsOf, noteOf } from "../../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../../core/types.js";
import { encode } from "../../dialects/ai-sdk-ui/encode.js";
import { isToolPart } from "../../dialects/ai-sdk-ui/wire.js";
import { sentMark } from "../../runtime/sent-mark.js";
import type { PermissionRequest } from "../../runtime/types.js";

const PREFIX = "ai-sdk:";

/** A message is accepted once for each id that a page gives it. */
export function onceKeyOf(uiId: string): string {
  return `${PREFIX}${uiId}`;
}

/** The id of a user message in the page that sent it, or ours if it came from elsewhere. */
export function uiIdOf(message: UserMessage): string | undefined {
  const { idempotencyKey } = sentMark(message);
  return idempotencyKey?.startsWith(PREFIX) === true ? idempotencyKey.slice(PREFIX.length) : message.id;
}

/** The stored conversation as UI messages. Messages that the agent has not read yet come last. */
export function uiMessages(
  messages: readonly AgentMessage[],
  requests: readonly PermissionRequest[],
): JsonObject[] {
  const records = encode(withQueued(messages).map(withUiId));
  return requests.length === 0 ? records : records.map((record) => withRequests(record, requests));
}

function withQueued(messages: readonly AgentMessage[]): AgentMessage[] {
  const queued = messages.flatMap((message) => {
    const note = noteOf(message);
    return note?.type === "dragoman/inbox" ? [note.data.message] : [];
  });
  const read = new Set(messages.flatMap((message) => (message.role === "user" ? idsOf(message) : [])));
  return [...messages, ...queued.filter(({ id }) => id !== undefined && !read.has(id))];
}

function withUiId(message: AgentMessage): AgentMessage {
  const id = message.role === "user" ? uiIdOf(message) : undefined;
  return id === undefined || message.role !== "user" ? message : { ...message, id };
}

/** Calls that wait for a permission, in the SDK's state for them. */
function withRequests(record: JsonObject, requests: readonly PermissionRequest[]): JsonObject {
  const { parts } = record;
  if (!Array.isArray(parts)) return record;
  const asked = parts.map((part: unknown) => {
    if (!isToolPart(part) || part["state"] !== "input-available") return part;
    const request = requests.find(({ toolCall }) => toolCall.id === part.toolCallId);
    return request === undefined
      ? part
      : { ...part, state: "approval-requested", approval: { id: request.id } };
  });
  return { ...record, parts: asked };
}
