import type { UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { branchBefore } from "../../runtime/copy.js";
import { refuse } from "../refusals.js";
import type { Gateway } from "../types.js";

/**
 * The conversation before one of its user messages, as a session of its own that continues under the same name. The answer in
 * progress is stopped: it will not be shown any more.
 */
export async function branchThread(
  { runtime }: Pick<Gateway, "runtime">,
  conversation: Conversation,
  { id }: Pick<UserMessage, "id">,
): Promise<Conversation> {
  const { session } = conversation;
  if (session.header.key === undefined) {
    throw refuse(
      "conflict",
      "this session has no key, so that it cannot be continued from an earlier message",
    );
  }
  conversation.abort();
  await conversation.idle();
  const branch = await branchBefore(runtime.log, session, id ?? "");
  await branch.close();
  return runtime.open(branch.id);
}
