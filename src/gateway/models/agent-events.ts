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
  /** A prompt with a known key is not sent again; the client gets the earlier answer. */
  idempotencyKey: string | undefined;
  /** The client's name for the model, and the client's API. */
  model: string;
  api: string;
  /** Aborts when the client disconnects. */
  gone: AbortSignal;
  running: Family["running"];
  /** Whether the answer is JSON. */
  isStructured: boolean;
  /** For an API whose answers can be retrieved later. */
  state: AgentCallState | undefined;
}

interface AgentReply {
  events: AsyncIterable<LiveAssistantMessageEvent>;
  /** The latest answer of a model in this reply. */
  answeredBy(): AssistantMessage | undefined;
}

/** Sends a message to a conversation and returns the answer as events. Ending the iteration does not stop the run. */
export async function agentEvents(
  { limits, closing, now }: Gateway,
  { conversation, prompt, idempotencyKey, model, api, gone, running, isStructured, state }: AgentRequest,
): Promise<AgentReply> {
  const undo: (() => void)[] = [];
  const leave = () => {
    for (const step of undo.splice(0)) step();
  };
  const queue = new EventQueue<LiveAssistantMessageEvent>({
    onLeave: leave,
    limit: {
      most: limits.unreadBytes,
      sizeOf: (event) => ("delta" in event ? event.delta.length : 0),
      error: () => refusal("the client does not read fast enough; the answer is stored in the session"),
    },
  });
  const header = emptyAnswer(model, api, now(), state?.answerId(conversation, prompt.id) ?? newId());
  const emit = (event: LiveAssistantMessageEvent) => {
    queue.push(event);
    if (event.type !== "done" && event.type !== "error") return;
    queue.end();
    leave();
  };
  const answer = new AgentAnswer(header, prompt.id, emit, { isStructured });
  const feed = Feed.follow(conversation, answer);
  undo.push(
    () => feed.leave(answer),
    onAbort(gone, () => queue.fail(refusal("the client disconnected; the run continues"))),
    onAbort(closing, () =>
      answer.stop({ code: "closing", message: "the gateway is shutting down; the session is stored" }),
    ),
    registerRun(running, answer.message, conversation),
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
  return { events: queue, answeredBy: () => answer.latest };
}

/** Ends an answer that never arrives, and replays an earlier one. */
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
      // The process that accepted it may have been killed before it answered.
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

function registerRun(
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
