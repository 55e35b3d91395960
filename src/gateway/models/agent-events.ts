import { EventQueue } from "../../core/async/event-queue.js";
import { onAbort } from "../../core/async/on-abort.js";
import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { emptyUsage } from "../../core/message/usage.js";
import { answerHeader } from "../../core/stream/builder.js";
import type { AssistantMessage, LiveAssistantMessageEvent, UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feed } from "../../runtime/feed.js";
import { type Gateway, RefusedError } from "../types.js";
import { AgentAnswer } from "./agent-answer.js";
import type { AgentCallState, Family } from "./family.js";

interface AgentRequest {
  conversation: Conversation;
  prompt: UserMessage & { id: string };
  /** With it the prompt is sent once; who sends it again is told the answer of before. */
  idempotencyKey: string | undefined;
  /** As the client calls it, and in the API that it speaks. */
  model: string;
  api: string;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
  running: Family["running"];
  /** For an API whose answers can be asked for later. */
  state?: AgentCallState;
}

/** Sends a message to a conversation. What the agent says to it is in the events; leaving them does not stop the run. */
export async function agentEvents(
  { limits, closing, now }: Gateway,
  { conversation, prompt, idempotencyKey, model, api, gone, running, state }: AgentRequest,
): Promise<AsyncIterable<LiveAssistantMessageEvent>> {
  const undo: (() => void)[] = [];
  const leave = () => {
    for (const step of undo.splice(0)) step();
  };
  const queue = new EventQueue<LiveAssistantMessageEvent>({
    onLeave: leave,
    limit: {
      most: limits.unreadBytes,
      sizeOf: (event) => ("delta" in event ? event.delta.length : 0),
      error: () => refusal("the client leaves too much unread; the answer is in the session"),
    },
  });
  const header = emptyAnswer(model, api, now(), state?.answerId(conversation, prompt.id) ?? newId());
  const answer = new AgentAnswer(header, prompt.id, (event) => {
    queue.push(event);
    if (event.type !== "done" && event.type !== "error") return;
    queue.end();
    leave();
  });
  const feed = Feed.follow(conversation, answer);
  undo.push(
    () => feed.leave(answer),
    onAbort(gone, () => queue.fail(refusal("the client disconnected; the run continues"))),
    onAbort(closing, () =>
      answer.stop({ code: "closing", message: "the gateway is shutting down; the session is stored" }),
    ),
    cancellable(running, answer.message, conversation),
  );
  try {
    const accepted =
      idempotencyKey === undefined
        ? await conversation.send(prompt, "followup")
        : await conversation.sendOnce(idempotencyKey, prompt, "followup");
    const { id } = accepted.message;
    const before = id === prompt.id ? undefined : id;
    // No event of an earlier answer was passed on yet.
    if (before !== undefined && state !== undefined) header.id = state.answerId(conversation, before);
    await state?.record(conversation, id);
    void finishAnswer(conversation, feed, answer, before);
  } catch (error) {
    leave();
    throw error;
  }
  return queue;
}

/** Ends an answer that never comes, and replays one that was given before. */
async function finishAnswer(
  conversation: Conversation,
  feed: Feed,
  answer: AgentAnswer,
  before: string | undefined,
): Promise<void> {
  let why = "the agent could not run";
  try {
    await conversation.idle();
    if (before !== undefined) {
      // The process that took it may have been killed before it could answer.
      await conversation.resume();
      answer.replay(before, await conversation.messages());
    } else await feed.drained();
  } catch (error) {
    why = error instanceof DragomanError ? error.message : why;
  }
  answer.stop({ code: "agent/not-stored", message: why });
}

/** An agent's answer before it has any content. */
export function emptyAnswer(model: string, api: string, timestamp: number, id: string): AssistantMessage {
  const origin = { provider: "agent", model, timestamp, price: emptyUsage, priceKnown: true };
  return { ...answerHeader(origin, api), id };
}

function cancellable(
  running: Family["running"],
  message: AssistantMessage,
  conversation: Conversation,
): () => void {
  const { id = "" } = message;
  const stop = (): AssistantMessage => {
    conversation.abort();
    return { ...message, stopReason: "aborted" };
  };
  running?.set(id, { agent: conversation.session.header.agent, stop });
  return () => running?.delete(id);
}

function refusal(message: string): RefusedError {
  return new RefusedError({ status: 499, reason: "server_error", message });
}
