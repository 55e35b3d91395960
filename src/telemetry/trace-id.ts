import { isString } from "../core/json/value.js";
import type { TraceContext } from "../core/trace-context.js";

/** A place in a trace, read. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Whether the trace is recorded: who begins a trace decides it for all that follows. */
  isSampled: boolean;
  state?: string | undefined;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_STATE_LENGTH = 512;
const MAX_STATE_MEMBERS = 32;
const STATE = /^[\x20-\x7e\t]*$/;

/** The place that headers name; undefined if they name none, or not in the form that the standard requires. */
export function readTrace(headers: {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}): SpanContext | undefined {
  const { traceparent, tracestate } = headers;
  if (!isString(traceparent)) return undefined;
  const [, version, traceId = "", spanId = "", flags = "", rest] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  // Later versions may add fields; `ff` is none.
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, state: readState(tracestate) };
}

export function writeTrace({ traceId, spanId, isSampled, state }: SpanContext): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

/** A new place: in the trace of its parent, or in a new one that is recorded. */
export function newSpanContext(parent: SpanContext | undefined): SpanContext {
  if (parent !== undefined) return { ...parent, spanId: randomHex(8) };
  return { traceId: randomHex(16), spanId: randomHex(8), isSampled: true };
}

/** A list that is too long or not readable is dropped as a whole, as the standard allows. */
function readState(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(",") : value;
  if (!isString(text) || text.trim() === "") return undefined;
  const isUsable =
    text.length <= MAX_STATE_LENGTH && text.split(",").length <= MAX_STATE_MEMBERS && STATE.test(text);
  return isUsable ? text.trim() : undefined;
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
