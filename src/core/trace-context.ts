/** A place in a distributed trace, as W3C Trace Context writes it in headers. */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>` */
  traceparent: string;
  /** What other systems have added about the trace. */
  tracestate?: string;
}
