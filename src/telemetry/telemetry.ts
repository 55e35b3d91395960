import type { Tool } from "../agent/types.js";
import type { TraceContext } from "../core/trace-context.js";
import type { CallObserver } from "../providers/call-observer.js";
import type { World } from "../providers/world.js";
import { AgentRun, type AgentRunStart } from "./agent-run.js";
import { AGENT, CONVERSATION } from "./conventions.js";
import { Histograms } from "./histograms.js";
import { MetricExporter } from "./metric-exporter.js";
import { ModelCall } from "./model-call.js";
import { readSettings } from "./settings.js";
import type { SpanSink } from "./span.js";
import { SpanExporter } from "./span-exporter.js";
import { readTrace, writeTrace } from "./trace-id.js";
import { tracedTool } from "./traced-tool.js";
import { type Attributes, keyValues, type Sender } from "./wire.js";

/** How long the end of the process waits for the collector. */
const CLOSE_MS = 3_000;

export interface TelemetryOptions {
  /** Network, clock and environment. */
  world: World;
  version: string;
  onProblem(problem: string): void;
}

/** Where a call or a tool belongs. */
export interface Origin {
  /** The span around it; undefined if it begins a trace. */
  parent: TraceContext | undefined;
  agent?: string;
  session?: string;
}

/** Traces and metrics of this process, exported as the environment asks for it. */
export class Telemetry {
  readonly #sink: SpanSink;
  readonly #histograms: Histograms;
  readonly #wantsContent: boolean;
  readonly #spans: SpanExporter | undefined;
  readonly #metrics: MetricExporter | undefined;
  #closed: Promise<unknown> | undefined;

  constructor({ world, version, onProblem }: TelemetryOptions) {
    const settings = readSettings(world.env, onProblem);
    const { traces, metrics, resource, spanDelayMs, metricIntervalMs } = settings;
    this.#wantsContent = settings.capturesContent && traces !== undefined;
    const sender: Sender = {
      resource: { attributes: keyValues({ "service.version": version, ...resource }) },
      scope: { name: "dragoman", version },
    };
    const shared = { sender, world, onProblem };
    this.#histograms = new Histograms(world.now);
    if (traces !== undefined) {
      this.#spans = new SpanExporter({ ...shared, destination: traces, delayMs: spanDelayMs });
    }
    if (metrics !== undefined) {
      const histograms = this.#histograms;
      this.#metrics = new MetricExporter({
        ...shared,
        destination: metrics,
        intervalMs: metricIntervalMs,
        histograms,
      });
    }
    const spans = this.#spans;
    this.#sink = { now: world.now, add: (span) => spans?.add(span) };
  }

  /** How many spans could not be delivered. */
  get droppedSpans(): number {
    return this.#spans?.dropped ?? 0;
  }

  /** The trace that a client's headers name, if they do. */
  readContext({ traceparent, tracestate }: Readonly<Record<string, unknown>>): TraceContext | undefined {
    const context = readTrace({ traceparent, tracestate });
    return context === undefined ? undefined : writeTrace(context);
  }

  /** Follows calls of models; `origin` is read at the start of each call. */
  observer(origin: () => Origin): CallObserver {
    return {
      begin: (operation, model) => {
        this.#metrics?.start();
        const from = origin();
        return new ModelCall({
          sink: this.#sink,
          histograms: this.#histograms,
          wantsContent: this.#wantsContent,
          parent: readTrace(from.parent ?? {}),
          operation,
          model,
          origin: originAttributes(from),
        });
      },
    };
  }

  startRun(parent: TraceContext | undefined, start: AgentRunStart): AgentRun {
    const options = { sink: this.#sink, wantsContent: this.#wantsContent, parent: readTrace(parent ?? {}) };
    return new AgentRun(options, start);
  }

  /** Tools whose calls are traced; `origin` is read at the start of each call. */
  traceTools(tools: readonly Tool[], origin: () => Origin): readonly Tool[] {
    const parent = () => origin().parent;
    const shared = { sink: this.#sink, wantsContent: this.#wantsContent, parent };
    return tools.map((tool) => tracedTool(tool, { ...shared, origin: originAttributes(origin()) }));
  }

  /** Sends what is left, for a few seconds at most. */
  async close(): Promise<void> {
    this.#closed ??= Promise.all([this.#spans?.close(CLOSE_MS), this.#metrics?.close(CLOSE_MS)]);
    await this.#closed;
  }
}

function originAttributes({ agent, session }: Origin): Attributes {
  return { [AGENT]: agent, [CONVERSATION]: session };
}
