import type { AssistantMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { stepsUpTo, streamOf } from "./live-steps.js";
import { type ChatDelta, type LiveRecord, LiveTail } from "./live-tail.js";
import type { FeedEvent } from "./subscriber.js";

/** A run, as far as it was told. */
export interface Run {
  id: string;
  tail: LiveTail;
  /** How much text of the answer under way was told. */
  offset: number;
  /** Everything up to its first answer, for clients whose messages it takes in until then. */
  opening?: LiveRecord[];
  /** The ids of users' messages in it; undefined for a run that began before this feed. */
  taken?: Set<string>;
  /** The last thing that was said in it. */
  said?: AssistantMessage;
}

/** What a record of a run is to clients. */
export function runEvents(
  runId: string,
  sessionKey: string,
  { seq, fromSeq, step, chat }: LiveRecord,
): FeedEvent[] {
  const from = fromSeq === undefined ? {} : { fromSeq };
  const agent: FeedEvent = {
    event: "agent",
    data: { runId, sessionKey, stream: streamOf(step), seq, ...from, data: step },
  };
  return chat === undefined ? [agent] : [agent, chatEvent(runId, sessionKey, chat)];
}

/** Whether the first answer of a run begins. */
export function isAnswer({ step }: LiveRecord): boolean {
  return step.type === "message_start" && step.role === "assistant";
}

function chatEvent(runId: string, sessionKey: string, chat: ChatDelta): FeedEvent {
  const { seq, fromSeq, offset, text, timestamp } = chat;
  return {
    event: "chat",
    data: {
      runId,
      sessionKey,
      seq,
      ...(fromSeq === undefined ? {} : { fromSeq }),
      state: "delta",
      offset,
      message: { role: "assistant", content: [{ type: "text", text }], timestamp },
    },
  };
}

/** What of a step is text to be shown. */
export function chatDelta(run: Run, { step }: LiveRecord, timestamp: number): ChatDelta | undefined {
  if (step.type === "message_start") run.offset = 0;
  if (step.type !== "text_delta" || step.text === "") return undefined;
  const { offset } = run;
  run.offset += step.text.length;
  return { seq: run.tail.nextChatSeq(), offset, text: step.text, timestamp };
}

/** A run that began before anybody listened: as much of it as is not in the log. */
export function runUnderWay(conversation: Conversation, now: number): Run | undefined {
  if (conversation.seq === 0) return undefined;
  const steps = stepsUpTo(conversation.live);
  const base = conversation.seq - steps.length;
  const run: Run = { id: conversation.runId, tail: new LiveTail(base), offset: 0 };
  for (const [index, step] of steps.entries()) {
    const record = { seq: base + index + 1, step };
    const chat = chatDelta(run, record, now);
    run.tail.push(chat === undefined ? record : { ...record, chat });
  }
  return run;
}
