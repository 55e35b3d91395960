import { defined } from "../core/json/defined.js";
import { isObject, isString } from "../core/json/value.js";
import type { TraceContext } from "../core/trace-context.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import { LOCAL } from "./usage/record.js";

/** How a message reached its session, in `ext.sent`. The gateway writes it; no client can. */
export interface SentMark {
  /** The token or channel account that sent it, and pays for the answer. */
  by?: string;
  idempotencyKey?: string;
  /** The run that accepted it. */
  runId?: string;
  /** The client's place in a trace, if traces are exported. */
  traceparent?: string;
  tracestate?: string;
}

export function sentMark({ ext }: AgentMessage): SentMark {
  const sent = ext?.["sent"];
  if (!isObject(sent)) return {};
  const { by, idempotencyKey, runId, traceparent, tracestate } = sent;
  const textIn = (value: unknown) => (isString(value) ? value : undefined);
  return defined({
    by: textIn(by),
    idempotencyKey: textIn(idempotencyKey),
    runId: textIn(runId),
    traceparent: textIn(traceparent),
    tracestate: textIn(tracestate),
  });
}

/**
 * A message with its sender's token or channel account, and the trace that it belongs to.
 *
 * @example
 * await conversation.send(sentBy(caller.token, message));
 */
export function sentBy<M extends UserMessage>(by: string, message: M, trace?: TraceContext): M {
  return { ...message, ext: { ...message.ext, sent: { ...sentMark(message), ...trace, by } } };
}

/** The trace that a message belongs to. */
export function traceOf(message: AgentMessage): TraceContext | undefined {
  const { traceparent, tracestate } = sentMark(message);
  return traceparent === undefined ? undefined : defined({ traceparent, tracestate });
}

/** Who pays for the answer to a conversation: the sender of its last user message. */
export function payerOf(messages: readonly AgentMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return (last === undefined ? undefined : sentMark(last).by) ?? LOCAL;
}
