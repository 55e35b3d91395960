import { newSpanContext, type SpanContext } from "./trace-id.js";
import { type Attributes, keyValues, nanoseconds, type OtlpSpan, STATUS_ERROR } from "./wire.js";

export interface SpanStart {
  name: string;
  kind: number;
  parent: SpanContext | undefined;
  attributes: Attributes;
}

/** Where ended spans go, and the time. */
export interface SpanSink {
  now(): number;
  add(span: OtlpSpan): void;
}

/** An operation of a trace while it happens. It is exported when it ends. */
export class Span {
  readonly context: SpanContext;
  readonly startedAt: number;
  readonly #sink: SpanSink;
  readonly #start: SpanStart;
  readonly #events: OtlpSpan["events"] = [];
  #attributes: Attributes;
  #hasEnded = false;

  constructor(sink: SpanSink, start: SpanStart) {
    this.#sink = sink;
    this.#start = start;
    this.#attributes = start.attributes;
    this.context = newSpanContext(start.parent);
    this.startedAt = sink.now();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  addEvent(name: string, attributes: Attributes): void {
    this.#events.push({
      name,
      timeUnixNano: nanoseconds(this.#sink.now()),
      attributes: keyValues(attributes),
    });
  }

  /** Does nothing the second time. `errorType` is a code, never the message, which may contain secrets. */
  end(errorType?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (!this.context.isSampled) return;
    const { traceId, spanId, state } = this.context;
    const { parent, name, kind } = this.#start;
    this.#sink.add({
      traceId,
      spanId,
      ...(state === undefined ? {} : { traceState: state }),
      ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
      flags: 1,
      name,
      kind,
      startTimeUnixNano: nanoseconds(this.startedAt),
      endTimeUnixNano: nanoseconds(this.#sink.now()),
      attributes: keyValues({ ...this.#attributes, "error.type": errorType }),
      events: this.#events,
      status: errorType === undefined ? {} : { code: STATUS_ERROR },
    });
  }
}
