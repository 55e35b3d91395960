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

/** The number of a run's start. */
const START = 1;

/**
 * The current run, if it began before this feed: the part of it that is not in the log. Its steps replace others. A client
 * that has some of those receives them from a lower number than it has, and so knows that they repeat the answer.
 */
export function runUnderWay(
  conversation: Pick<Conversation, "live" | "seq" | "runId">,
  now: number,
): Run | undefined {
  const { seq: last } = conversation;
  if (last === 0) return undefined;
  const steps = stepsUpTo(conversation.live);
  const first = last - steps.length + 1;
  const run: Run = {
    id: conversation.runId,
    tail: new LiveTail(steps.length === 0 ? last : START, last),
    chat: new ChatCount(),
  };
  for (const [index, step] of steps.entries()) {
    const from = index === 0 && first > START + 1 ? { fromSeq: START + 1 } : {};
    addStep(run, { seq: first + index, ...from, step }, now);
  }
  return run;
}

/** Returns the record, with its number among the `chat` events if it has one. */
export function addStep(run: Run, record: LiveRecord, now: number): LiveRecord {
  const chat = run.chat.mark(record.step, now);
  const whole = chat === undefined ? record : { ...record, chat };
  run.tail.push(whole);
  return whole;
}
