import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import type { UserMessage } from "../../core/types.js";
import { aiSdkUi } from "../../dialects/ai-sdk-ui/index.js";
import { isToolPart } from "../../dialects/ai-sdk-ui/wire.js";
import { badRequest } from "../refusals.js";

/** The user's decision on a tool call. */
export interface Approval {
  id: string;
  toolCallId: string;
  isApproved: boolean;
}

/** What a page asks for. Of the messages that it sends only the last one counts: the history is ours. */
export type ChatRequest = { chatId: string } & (
  | { kind: "message"; id: string; message: UserMessage }
  | { kind: "regenerate"; messageId: string | undefined }
  | { kind: "approvals"; approvals: [Approval, ...Approval[]] }
);

/** Reads the body that `DefaultChatTransport` posts. */
export function readChatRequest(body: unknown, now: number): ChatRequest {
  if (!isObject(body)) throw badRequest("the body must be a JSON object");
  const { id: chatId, messages, trigger = "submit-message", messageId } = body;
  if (!isString(chatId)) throw badRequest("id must be the chat's id");
  if (!Array.isArray(messages)) throw badRequest("messages must be an array of UI messages");
  if (messageId !== undefined && !isString(messageId)) throw badRequest("messageId must be a text");
  if (trigger === "regenerate-message") return { chatId, kind: "regenerate", messageId };
  if (trigger !== "submit-message")
    throw badRequest('trigger must be "submit-message" or "regenerate-message"');
  const last = messageIn(messages, messageId);
  if (last["role"] === "assistant") return { chatId, kind: "approvals", approvals: readApprovals(last) };
  if (last["role"] !== "user") throw badRequest("the last message must be the user's");
  if (!isString(last["id"]) || last["id"] === "") throw badRequest("the last message needs an id");
  return { chatId, kind: "message", id: last["id"], message: readMessage(last, now) };
}

/** The last message, or the earlier answer whose approvals were decided. */
function messageIn(messages: readonly unknown[], messageId: string | undefined): JsonObject {
  const named = messages.find(
    (message) => isObject(message) && message["role"] === "assistant" && message["id"] === messageId,
  );
  const last = named ?? messages.at(-1);
  if (!isObject(last)) throw badRequest("messages must not be empty");
  return last;
}

function readMessage(record: JsonObject, now: number): UserMessage {
  const [decoded] = aiSdkUi.decode([record]);
  const message = decoded?.message;
  if (message?.role !== "user" || message.content.length === 0) {
    throw badRequest("the last message has no content");
  }
  const { id: _, ext, ...rest } = message;
  const { synthesised: __, ...notes } = ext ?? {};
  return { ...rest, timestamp: now, ...(Object.keys(notes).length === 0 ? {} : { ext: notes }) };
}

function readApprovals({ parts }: JsonObject): [Approval, ...Approval[]] {
  const all: unknown[] = Array.isArray(parts) ? parts : [];
  const [first, ...others] = all.flatMap((part): Approval[] => {
    if (!isToolPart(part) || part["state"] !== "approval-responded") return [];
    const { approval, toolCallId } = part;
    if (!isObject(approval) || !isString(approval["id"])) return [];
    return [{ id: approval["id"], toolCallId, isApproved: approval["approved"] === true }];
  });
  if (first === undefined) {
    throw badRequest("the last message must be the user's, or an answer with decided approvals");
  }
  return [first, ...others];
}
