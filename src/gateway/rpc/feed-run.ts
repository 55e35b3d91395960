import type { AssistantMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { ChatCount, chatDelta, withText } from "./chat-events.js";
import { stepsUpTo, streamOf } from "./live-steps.js";
import { type LiveRecord, LiveTail } from "./live-tail.js";
import type { FeedEvent } from "./subscriber.js";

/** A run, as far as it was told. */
export interface Run {
  id: string;
  tail: LiveTail;
  chat: ChatCount;
  /** Everything up to its first answer, for clients whose messages it takes in until then. */
  opening?: LiveRecord[];
  /** The ids of users' messages in it; undefined for a run that began before this feed. */
  messageIds?: Set<string>;
  /** The last thing that was said in it. */
  lastAnswer?: AssistantMessage;
}

/** What a record of a run is to clients. */
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

/** Whether the first answer of a run begins. */
export function isAnswer({ step }: LiveRecord): boolean {
  return step.type === "message_start" && step.message.role === "assistant";
}

/** A run that began before anybody listened: as much of it as is not in the log. */
export function runUnderWay(conversation: Conversation, now: number): Run | undefined {
  if (conversation.seq === 0) return undefined;
  const steps = stepsUpTo(conversation.live);
  const base = conversation.seq - steps.length;
  const run: Run = { id: conversation.runId, tail: new LiveTail(base), chat: new ChatCount() };
  for (const [index, step] of steps.entries()) addStep(run, { seq: base + index + 1, step }, now);
  return run;
}

/** Returns the record with its place among the `chat` events, if it has one. */
export function addStep(run: Run, record: LiveRecord, now: number): LiveRecord {
  const chat = run.chat.mark(record.step, now);
  const whole = chat === undefined ? record : { ...record, chat };
  run.tail.push(whole);
  return whole;
}
