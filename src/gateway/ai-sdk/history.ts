import type { JsonObject } from "../../core/json/value.js";
import { idsOf, noteOf } from "../../core/message/notes.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AgentMessage } from "../../core/types.js";
import { encode } from "../../dialects/ai-sdk-ui/encode.js";
import { isToolPart } from "../../dialects/ai-sdk-ui/wire.js";
import { clientIdOf } from "../front-ends/client-id.js";

/** The stored conversation as UI messages. Messages that the agent has not read yet come last. */
export function uiMessages(
  messages: readonly AgentMessage[],
  requests: readonly PermissionRequest[],
): JsonObject[] {
  const records = encode(withQueued(messages).map(withClientId));
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

function withClientId(message: AgentMessage): AgentMessage {
  const id = message.role === "user" ? clientIdOf(message) : undefined;
  return id === undefined || message.role !== "user" ? message : { ...message, id };
}

/**
 * Calls that wait for a permission, in the SDK's state for them. Later calls of the same turn are left out until they are asked
 * for, as in the stream.
 */
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
  const isAsked = asked.some((part) => isToolPart(part) && part["state"] === "approval-requested");
  if (!isAsked) return record;
  return {
    ...record,
    parts: asked.filter((part) => !isToolPart(part) || part["state"] !== "input-available"),
  };
}
