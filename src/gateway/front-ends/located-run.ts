import type { Conversation } from "../../runtime/conversation.js";

/** Does work on a conversation whose run is known, also if another gateway runs it. */
export async function whileLocated<T>(conversation: Conversation, work: () => Promise<T>): Promise<T> {
  // A gateway learns of runs on others only while a conversation is watched.
  const unwatch = conversation.watch(() => undefined);
  try {
    await conversation.elsewhere?.located();
    return await work();
  } finally {
    unwatch();
  }
}

/** Stops the run in progress. False if there is none. */
export function stopRun(conversation: Conversation): Promise<boolean> {
  return whileLocated(conversation, async () => {
    const { elsewhere } = conversation;
    return elsewhere?.run === undefined ? conversation.abortHere() : elsewhere.abort();
  });
}
