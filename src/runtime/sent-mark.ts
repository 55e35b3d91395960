import type { ToolSpec } from "../core/api/provider.js";
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
  /** Tools that the sender runs itself, for the answer to this message. */
  tools?: ToolSpec[];
}

export function sentMark({ ext }: AgentMessage): SentMark {
  const sent = ext?.["sent"];
  if (!isObject(sent)) return {};
  const { by, idempotencyKey, runId, traceparent, tracestate, tools } = sent;
  const textIn = (value: unknown) => (isString(value) ? value : undefined);
  return defined({
    by: textIn(by),
    idempotencyKey: textIn(idempotencyKey),
    runId: textIn(runId),
    traceparent: textIn(traceparent),
    tracestate: textIn(tracestate),
    tools: Array.isArray(tools) ? tools.filter(isToolSpec) : undefined,
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

/** A message with the tools that its sender runs itself. */
export function withClientTools<M extends UserMessage>(message: M, tools: ToolSpec[]): M {
  if (tools.length === 0) return message;
  return { ...message, ext: { ...message.ext, sent: { ...sentMark(message), tools } } };
}

function isToolSpec(value: unknown): value is ToolSpec {
  if (!isObject(value)) return false;
  const { name, description, parameters } = value;
  return isString(name) && isString(description) && isObject(parameters);
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
