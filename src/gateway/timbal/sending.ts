import type { JsonObject } from "../../core/json/value.js";
import type { TraceContext } from "../../core/trace-context.js";
import type { Feeds } from "../../runtime/feeds.js";
import { sentBy } from "../../runtime/sent-mark.js";
import { requireBudgetFor } from "../budgets.js";
import type { Caller, Gateway } from "../types.js";
import { invalid } from "./bodies.js";
import type { ThreadFeed } from "./feed.js";
import { deletion, noticeMessage } from "./notices.js";
import { Roster } from "./roster.js";
import { isNotice, promptOf, type SentMessage } from "./sent-message.js";
import type { Thread, Threads } from "./threads.js";

export interface SendingWorld {
  gateway: Pick<Gateway, "runtime" | "logger">;
  threads: Threads;
  feeds: Feeds<Thread, ThreadFeed>;
  now(): number;
}

interface ThreadAddress {
  id: string;
  permit: Caller;
}

interface SendOptions {
  /** Sending again with the same key has no effect. */
  key?: string;
  /** Replaces a notice with the same key, as set frames do. */
  replaces?: boolean;
  /** The client's place in a trace. */
  trace?: TraceContext | undefined;
}

/** Returns the message's id when the message is on disk. */
export async function sendToThread(
  { gateway, threads, feeds, now }: SendingWorld,
  { id, permit }: ThreadAddress,
  sent: SentMessage,
  { key, replaces = false, trace }: SendOptions = {},
): Promise<{ messageId: string }> {
  const thread = await threads.active(id, permit);
  const roster = await Roster.of(thread.conversation);
  if (!roster.has(key)) requireSender(sent, roster);
  if (isNotice(sent.value["type"])) {
    return roster.runInOrder(() => postNotice(thread, { value: sent.value, now, key, replaces }));
  }
  await requireBudgetFor(gateway, permit, thread.conversation);
  const message = sentBy(permit.token, promptOf(sent.value, now()), trace);
  // Follows from before the run begins, so that a client that joins can receive all of it.
  const feed = feeds.claim(thread);
  try {
    const { conversation } = thread;
    const accepted =
      key === undefined ? await conversation.send(message) : await conversation.sendOnce(key, message);
    return { messageId: accepted.message.id };
  } finally {
    feeds.release(thread, feed);
  }
}

/** Deletes a `status` or `x-…` message for all clients. */
export async function deleteNotice(
  { threads, now }: SendingWorld,
  { id, permit }: ThreadAddress,
  key: string,
): Promise<{ messageId: string }> {
  const { conversation } = await threads.active(id, permit);
  const roster = await Roster.of(conversation);
  return roster.runInOrder(async () => {
    const notice = (await Roster.of(conversation)).notice(key);
    if (notice === undefined)
      throw invalid("i", "must be that of a status or x-… message sent to this thread");
    if (notice.frame["v"] !== null) await conversation.post(deletion(notice.i, now(), key));
    return { messageId: notice.i };
  });
}

interface Posting {
  value: JsonObject;
  now(): number;
  key: string | undefined;
  replaces: boolean;
}

async function postNotice(
  { conversation }: Thread,
  { value, now, key, replaces }: Posting,
): Promise<{ messageId: string }> {
  const before = key === undefined ? undefined : (await Roster.of(conversation)).notice(key);
  if (before !== undefined && !replaces) return { messageId: before.i };
  const message = noticeMessage(value, { timestamp: now(), replaces: before?.i, key });
  await conversation.post(message);
  return { messageId: before?.i ?? message.id };
}

/** Timbal requires a sender in threads with several authors: otherwise the author would be unknown. */
function requireSender({ value, senderField }: SentMessage, { senders }: Roster): void {
  const isSigned = value["sender"] !== undefined || value["type"] === "agent_message";
  if (isSigned || senders.size === 0) return;
  const example = [...senders][0];
  throw invalid(
    senderField,
    "is required: another sender has written in this thread",
    `name the author in ${senderField}, as ${JSON.stringify(example)} does`,
  );
}
