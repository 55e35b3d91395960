import { setTimeout } from "node:timers/promises";
import type { QueueMode } from "../../agent/queue.js";
import { passedOnIn } from "../../channels/passed-on.js";
import { newId } from "../../core/ids.js";
import { defined } from "../../core/json/defined.js";
import { withOutput } from "../../core/message/requested-output.js";
import type { UserMessage } from "../../core/types.js";
import type { Entry, SessionLog } from "../../log/types.js";
import type { Result } from "../../protocol/schema.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import { sentBy } from "../../runtime/sent-mark.js";
import { requireBudgetFor } from "../budgets.js";
import { mediaOf, onceKey, userMessage } from "../inbound-message.js";
import { refuse } from "../refusals.js";
import { conversationFor, conversationNamed, nameOf, newKey } from "../session-name.js";
import { deliveryFor } from "./agent-delivery.js";
import type { Context, Methods } from "./context.js";

const PAGE = 50;
const WAIT_MS = 30_000;

export const agentMethods: Methods<"agent"> = {
  async agent(params, context) {
    const { message, channel, accountId, mode } = params;
    const { Text = "", MediaUrl } = message;
    if (Text === "" && MediaUrl === undefined && passedOnIn(message).length === 0) {
      throw refuse("invalid_request", "empty message: neither Text nor MediaUrl is set");
    }
    const { runtime, now } = context.gateway;
    const { key, delivery, why, deliver } = deliveryFor(params, context.gateway);
    const conversation = await conversationFor(runtime, key, context.permit);
    const prompt = userMessage([{ message }], { channel, accountId, ...mediaOf(message), delivery }, now());
    const ask = () => acceptMessage(context, conversation, prompt, onceKey(params), mode);
    const accepted = await (deliver === undefined ? ask() : deliver(conversation, ask));
    return defined({ ...accepted, delivery: delivery === undefined ? "none" : "queued", why });
  },

  async "agent.wait"({ runId, timeoutMs = WAIT_MS }, { gateway, feeds, permit, signal }) {
    const end = feeds.waitForEnd(runId, permit);
    // Another gateway does not know whether the client may use the agent.
    const mayAskOthers = permit.isGateway !== true && permit.agents === undefined;
    if (end === undefined && mayAskOthers) {
      const waited = await gateway.links?.waitForRun(runId, timeoutMs);
      if (waited !== undefined) return waited;
    }
    if (end === undefined) throw refuse("not_found", `there is no run ${JSON.stringify(runId)} here`);
    const done = new AbortController();
    const timeout = setTimeout(timeoutMs, undefined, { signal: AbortSignal.any([signal, done.signal]) });
    try {
      const ended = await Promise.race([end, timeout]);
      if (ended === undefined) return { runId, status: "timeout" };
      return defined({ runId, status: ended.outcome, error: ended.error });
    } finally {
      done.abort();
    }
  },
};

export const chatMethods: Methods<"chat"> = {
  async "chat.send"({ sessionKey, text, content, output, mode, idempotencyKey }, context) {
    if ((text === undefined) === (content === undefined)) {
      throw refuse("invalid_request", "a message has either text or content");
    }
    const given = content ?? text ?? "";
    if (given.length === 0) throw refuse("invalid_request", "empty message");
    const { runtime, now } = context.gateway;
    const conversation = await conversationFor(runtime, sessionKey, context.permit);
    const typed: UserMessage = { role: "user", content: given, timestamp: now() };
    const message = await runtime.expandMentions(conversation.session.header.agent ?? MAIN, typed);
    return acceptMessage(context, conversation, withOutput(message, output), idempotencyKey, mode);
  },

  async "chat.history"({ sessionKey, limit = PAGE, before, after }, { gateway, permit }) {
    const { session } = await conversationNamed(gateway.runtime, sessionKey, permit);
    if (before !== undefined && after !== undefined) {
      throw refuse("invalid_request", "`before` and `after` cannot be combined");
    }
    const maxBytes = gateway.limits.unreadBytes / 2;
    const page =
      after === undefined
        ? await pageBefore(session, before, limit, maxBytes)
        : await pageAfter(session, after, limit, maxBytes);
    return { sessionKey: session.header.key ?? session.id, ...page };
  },

  async "chat.abort"({ sessionKey, runId }, { gateway, permit }) {
    const conversation = await conversationNamed(gateway.runtime, sessionKey, permit);
    const current = conversation.runId;
    // Between runs there is nothing to abort, and the next run must not be aborted.
    if (conversation.seq === 0 || (runId !== undefined && runId !== current)) return { aborted: false };
    const isElsewhere = conversation.elsewhere?.run !== undefined;
    if (isElsewhere && !(await conversation.elsewhere?.abort())) return { aborted: false };
    if (!isElsewhere) conversation.abort();
    return { aborted: true, runId: current };
  },

  async "chat.subscribe"({ sessionKey, ...wishes }, { gateway, subscriptions, permit, afterReply }) {
    if (wishes.asks === true && permit.scope !== "admin") {
      throw refuse("forbidden", 'answering permission requests needs the scope "admin"');
    }
    const { runtime } = gateway;
    const fromStart = wishes.after === undefined || wishes.after.position === 0;
    const key = fromStart ? newKey(runtime, sessionKey, permit) : undefined;
    if (key !== undefined && (await runtime.log.find(key)) === undefined) {
      const waiting = subscriptions.awaitSession(key, wishes, afterReply);
      // Another process may have created the session in the meantime.
      if ((await runtime.log.find(key)) === undefined || !subscriptions.stopAwaiting(key)) return waiting;
    }
    return subscriptions.add(await conversationNamed(runtime, sessionKey, permit), wishes, afterReply);
  },

  async "chat.unsubscribe"({ sessionKey }, { gateway, subscriptions, permit }) {
    const key = newKey(gateway.runtime, sessionKey, permit);
    if (key !== undefined && subscriptions.stopAwaiting(key)) return { unsubscribed: true };
    const conversation = await conversationNamed(gateway.runtime, sessionKey, permit);
    return { unsubscribed: subscriptions.remove(conversation) };
  },
};

/** Fulfilled when the message is on disk. The client receives the events of the run that accepts it. */
async function acceptMessage(
  { gateway, permit, feeds, subscriptions, afterReply }: Context,
  conversation: Conversation,
  message: UserMessage,
  idempotencyKey: string | undefined,
  mode: QueueMode | undefined,
): Promise<Result<"chat.send">> {
  await requireBudgetFor(gateway, permit, conversation);
  // Follows from before the run begins, so that its end is known.
  return feeds.withFeed(conversation, async (feed) => {
    const given = sentBy(permit.token, { ...message, id: newId() });
    const follower = subscriptions.followRun(conversation, feed, afterReply);
    follower.expect(given.id);
    try {
      const { runId, message: sent } = await (idempotencyKey === undefined
        ? conversation.send(given, mode)
        : conversation.sendOnce(idempotencyKey, given, mode));
      const isRepeated = sent.id !== given.id;
      // The run of a repeated message may have ended before this process started.
      if (!isRepeated || conversation.runId === runId) feeds.expectRun(runId, conversation);
      follower.markStored(given.id);
      if (isRepeated) {
        follower.forget(given.id);
        feed.followAgain(follower, sent.id, runId);
      }
      return { status: "accepted", runId, sessionKey: nameOf(conversation), messageId: sent.id };
    } catch (error) {
      follower.forget(given.id);
      throw error;
    } finally {
      feed.removeIfDone(follower);
    }
  });
}

interface Page {
  messages: Entry[];
  start: number;
  end: number;
  more: boolean;
}

async function pageAfter(session: SessionLog, after: number, limit: number, maxBytes: number): Promise<Page> {
  const messages: Entry[] = [];
  let end = after;
  for await (const entry of session.read({ from: after })) {
    if (messages.length === limit || (messages.length > 0 && entry.next - after > maxBytes)) {
      return { messages, start: after, end, more: true };
    }
    messages.push(entry);
    end = entry.next;
  }
  return { messages, start: after, end, more: false };
}

async function pageBefore(
  session: SessionLog,
  before: number | undefined,
  limit: number,
  maxBytes: number,
): Promise<Page> {
  const end = before ?? (await session.end());
  const all = await session.last(limit, { before: end });
  const messages = all.filter((entry, index) => index === all.length - 1 || end - entry.position <= maxBytes);
  const start = messages[0]?.position ?? 0;
  return { messages, start, end, more: start > 0 };
}
