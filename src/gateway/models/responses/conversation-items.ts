import type { Api } from "../../../core/api/provider.js";
import type { JsonObject } from "../../../core/json/value.js";
import type { AgentMessage } from "../../../core/types.js";
import { listedItems, messagesOf } from "./items.js";
import type { StoredSession } from "./stored-session.js";

/** The items of a conversation, without those that were deleted. */
export function conversationItems(api: Api, session: StoredSession): JsonObject[] {
  return session.messages.flatMap((message) => remaining(api, session, message));
}

/** What a model is shown of a conversation. */
export function conversationMessages(api: Api, session: StoredSession): readonly AgentMessage[] {
  if (session.deleted.size === 0) return session.messages;
  return session.messages.flatMap((message): AgentMessage[] => {
    const all = listedItems(api, session.id, message);
    const left = remaining(api, session, message);
    if (left.length === all.length) return [message];
    const [read] = left.length === 0 ? [] : messagesOf(api, left);
    // Its other items keep their origin.
    if (message.role !== "assistant" || read?.role !== "assistant") return [];
    return [{ ...message, content: read.content }];
  });
}

function remaining(api: Api, { id, deleted }: StoredSession, message: AgentMessage): JsonObject[] {
  return listedItems(api, id, message).filter((item) => !deleted.has(String(item["id"])));
}
