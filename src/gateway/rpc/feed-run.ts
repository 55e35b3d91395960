import type { AssistantMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { ChatCount, chatDelta, withText } from "./chat-events.js";
import { stepsUpTo, streamOf } from "./live-steps.js";
import { type LiveRecord, LiveTail } from "./live-tail.js";
import type { FeedEvent } from "./subscriber.js";

/** A run, as far as it was reported. */
export interface Run {
  id: string;
  tail: LiveTail;
  chat: ChatCount;
  /** Everything before its first answer, for clients whose messages it accepts until then. */
  opening?: LiveRecord[];
  /** The ids of its user messages; undefined for a run that began before this feed. */
  messageIds?: Set<string>;
  lastAnswer?: AssistantMessage;
}

/** A run's record as events. */
export function runEvents(
  runId: string,
  sessionKey: string,
  { seq, fromSeq, step, chat }: LiveRecord,
): FeedEvent[] {
  const from = fromSeq === undefined ? {} : { fromSeq };
  const data = withText(step);
  const agent: FeedEvent = {
    event: "agent",
    data: { runId, sessionKey, stream: streamOf(step), seq, ...from, data },
  };
  if (chat === undefined || data.text === undefined) return [agent];
  return [agent, chatDelta(runId, sessionKey, chat, data.text)];
}

/** Whether an answer begins. */
export function isAnswer({ step }: LiveRecord): boolean {
  return step.type === "message_start" && step.message.role === "assistant";
}

/** The current run, if it began before this feed: the part of it that is not in the log. */
export function runUnderWay(conversation: Conversation, now: number): Run | undefined {
  if (conversation.seq === 0) return undefined;
  const steps = stepsUpTo(conversation.live);
  const base = conversation.seq - steps.length;
  // These steps replace others, so only a client that has all of those can go on after them.
  const tail = new LiveTail(base, conversation.seq);
  const run: Run = { id: conversation.runId, tail, chat: new ChatCount() };
  for (const [index, step] of steps.entries()) addStep(run, { seq: base + index + 1, step }, now);
  return run;
}

/** Returns the record, with its number among the `chat` events if it has one. */
export function addStep(run: Run, record: LiveRecord, now: number): LiveRecord {
  const chat = run.chat.mark(record.step, now);
  const whole = chat === undefined ? record : { ...record, chat };
  run.tail.push(whole);
  return whole;
}
