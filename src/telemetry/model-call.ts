import type { CallOptions, Context } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import { failureIn } from "../core/message/failure.js";
import { isSynthesised } from "../core/message/neutral.js";
import type { Tokens } from "../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Usage } from "../core/types.js";
import type { ObservedCall } from "../providers/call-observer.js";
import { messageAttributes, toolDefinitions } from "./content.js";
import {
  DURATION,
  inputTokens,
  OPERATION,
  optionAttributes,
  PROVIDER,
  providerName,
  REQUEST_MODEL,
  RESPONSE_MODEL,
  serverAttributes,
  TOKEN_USAGE,
  usageAttributes,
} from "./conventions.js";
import type { Histograms } from "./histograms.js";
import { Span, type SpanSink } from "./span.js";
import { type SpanContext, writeTrace } from "./trace-id.js";
import { type Attributes, SPAN_KIND } from "./wire.js";

export interface ModelCallOptions {
  sink: SpanSink;
  histograms: Histograms;
  wantsContent: boolean;
  parent: SpanContext | undefined;
  operation: "chat" | "embeddings";
  model: { provider: string; id: string };
  /** The agent and the session, if one of our agents calls. */
  origin: Attributes;
}

const finishReasons: Readonly<Record<AssistantMessage["stopReason"], string>> = {
  stop: "stop",
  length: "length",
  toolUse: "tool_call",
  error: "error",
  aborted: "aborted",
};

/** The span and the measurements of one call of a model. */
export class ModelCall implements ObservedCall {
  readonly wantsContent: boolean;
  readonly #options: ModelCallOptions;
  readonly #span: Span;
  #server: Attributes = {};
  #context: Context | undefined;
  #reasoning = 0;
  #hasBegun = false;

  constructor(options: ModelCallOptions) {
    const { sink, parent, operation, model, origin, wantsContent } = options;
    this.#options = options;
    this.wantsContent = wantsContent;
    this.#span = new Span(sink, {
      name: `${operation} ${model.id}`,
      kind: SPAN_KIND.client,
      parent,
      attributes: {
        ...this.#labels(),
        ...origin,
        ...(operation === "chat" ? { "gen_ai.request.stream": true } : {}),
      },
    });
  }

  describe(context: Context, options: CallOptions): void {
    if (this.wantsContent) this.#context = context;
    this.#span.set(optionAttributes(options));
  }

  headersFor(url: string): Readonly<Record<string, string>> {
    this.#server = serverAttributes(url);
    this.#span.set(this.#server);
    return { ...writeTrace(this.#span.context) };
  }

  noteTokens({ reasoning = 0 }: Tokens): void {
    this.#reasoning = reasoning;
  }

  observe(event: LiveAssistantMessageEvent): void {
    if (event.type === "start") return;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#span.set({ "gen_ai.response.time_to_first_chunk": this.#seconds() });
    }
    if (event.type === "done") this.#finish(event.message, undefined);
    else if (event.type === "error") {
      const { error: message } = event;
      const code = message.stopReason === "aborted" ? "aborted" : failureIn(message)?.code;
      this.#finish(message, code ?? "_OTHER");
    }
  }

  end({ usage, error }: { usage?: Usage | undefined; error?: unknown } = {}): void {
    if (this.#span.hasEnded) return;
    if (usage !== undefined) this.#recordUsage(usage, true);
    const isResult = usage !== undefined || (error === undefined && this.#options.operation === "embeddings");
    this.#close(isResult ? undefined : errorType(error), undefined);
  }

  #finish(message: AssistantMessage, code: string | undefined): void {
    if (this.#span.hasEnded) return;
    const { stopReason, model, usage } = message;
    this.#span.set({
      [RESPONSE_MODEL]: this.#otherModel(model),
      "gen_ai.response.finish_reasons": [finishReasons[stopReason]],
    });
    const isKnown = usage.totalTokens > 0 && !isSynthesised(message, "/usage");
    if (isKnown) this.#recordUsage(usage, !isSynthesised(message, "/usage/output"));
    if (this.#context !== undefined) {
      this.#span.set({
        ...messageAttributes(this.#context, message),
        ...toolDefinitions(this.#context.tools),
      });
    }
    this.#close(code, this.#otherModel(model));
  }

  #recordUsage(usage: Usage, isOutputKnown: boolean): void {
    const { histograms } = this.#options;
    this.#span.set(usageAttributes(usage, this.#reasoning));
    if (!isOutputKnown) this.#span.set({ "gen_ai.usage.output_tokens": undefined });
    const labels = { ...this.#labels(), ...this.#server };
    histograms.record(TOKEN_USAGE, inputTokens(usage), { ...labels, "gen_ai.token.type": "input" });
    if (!isOutputKnown || this.#options.operation === "embeddings") return;
    histograms.record(TOKEN_USAGE, usage.output, { ...labels, "gen_ai.token.type": "output" });
  }

  #close(code: string | undefined, responseModel: string | undefined): void {
    this.#options.histograms.record(DURATION, this.#seconds(), {
      ...this.#labels(),
      [RESPONSE_MODEL]: responseModel,
      ...this.#server,
      "error.type": code,
    });
    this.#span.end(code);
    this.#context = undefined;
  }

  /** Messages name the requested model, unless the answer came from another one. */
  #otherModel(model: string): string | undefined {
    return model === this.#options.model.id ? undefined : model;
  }

  #labels(): Attributes {
    const { operation, model } = this.#options;
    return { [OPERATION]: operation, [PROVIDER]: providerName(model.provider), [REQUEST_MODEL]: model.id };
  }

  #seconds(): number {
    return Math.max(0, this.#options.sink.now() - this.#span.startedAt) / 1000;
  }
}

/** A code of ours. Without an error the caller has left. */
function errorType(error: unknown): string {
  if (error === undefined) return "aborted";
  return error instanceof DragomanError ? error.code : "_OTHER";
}
