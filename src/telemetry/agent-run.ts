import { failureIn } from "../core/message/failure.js";
import { isSynthesised } from "../core/message/neutral.js";
import type { PermissionEnd, PermissionRequest } from "../core/message/question-notes.js";
import { sumUsage } from "../core/message/usage.js";
import type { TraceContext } from "../core/trace-context.js";
import type { AgentEvent, AgentMessage, AssistantMessage, Usage } from "../core/types.js";
import { messageAttributes } from "./content.js";
import {
  AGENT,
  CONVERSATION,
  OPERATION,
  PROVIDER,
  providerName,
  REQUEST_MODEL,
  usageAttributes,
} from "./conventions.js";
import { Span, type SpanSink } from "./span.js";
import { type SpanContext, writeTrace } from "./trace-id.js";
import { SPAN_KIND } from "./wire.js";

export interface AgentRunStart {
  agent: string;
  session: string;
  /** The id of the run. */
  run: string;
  model: { provider: string; id: string };
  systemPrompt: string;
  prompts: readonly AgentMessage[];
}

export interface AgentRunOptions {
  sink: SpanSink;
  wantsContent: boolean;
  parent: SpanContext | undefined;
}

/** The span of a run, from its first message to its final answer. */
export class AgentRun {
  readonly #span: Span;
  readonly #content: Pick<AgentRunStart, "systemPrompt" | "prompts"> | undefined;
  readonly #usages: Usage[] = [];
  #answer: AssistantMessage | undefined;
  #errorCode: string | undefined;

  constructor({ sink, wantsContent, parent }: AgentRunOptions, start: AgentRunStart) {
    const { agent, session, run, model, systemPrompt, prompts } = start;
    this.#content = wantsContent ? { systemPrompt, prompts } : undefined;
    this.#span = new Span(sink, {
      name: `invoke_agent ${agent}`,
      kind: SPAN_KIND.internal,
      parent,
      attributes: {
        [OPERATION]: "invoke_agent",
        [PROVIDER]: providerName(model.provider),
        [REQUEST_MODEL]: model.id,
        [AGENT]: agent,
        [CONVERSATION]: session,
        "dragoman.run.id": run,
        "dragoman.run.resumed": prompts.length === 0 || undefined,
      },
    });
  }

  get context(): TraceContext {
    return writeTrace(this.#span.context);
  }

  observe(event: AgentEvent): void {
    if (event.type !== "message_end") return;
    const { message } = event;
    if (message.role === "error") this.#errorCode = failureIn(message)?.code ?? "_OTHER";
    if (message.role !== "assistant") return;
    this.#answer = message;
    this.#errorCode = message.stopReason === "error" ? (failureIn(message)?.code ?? "_OTHER") : undefined;
    if (!isSynthesised(message, "/usage")) this.#usages.push(message.usage);
  }

  /** The time that a call waits for a person is not the tool's. */
  beginQuestion({ id, toolCall }: PermissionRequest): void {
    this.#span.addEvent("dragoman.permission.requested", {
      "dragoman.permission.id": id,
      "gen_ai.tool.name": toolCall.name,
      "gen_ai.tool.call.id": toolCall.id,
    });
  }

  endQuestion(id: string, end: PermissionEnd): void {
    this.#span.addEvent("dragoman.permission.ended", {
      "dragoman.permission.id": id,
      "dragoman.permission.answer": end,
    });
  }

  end(outcome: "done" | "aborted" | "error"): void {
    if (this.#usages.length > 0) this.#span.set(usageAttributes(sumUsage(this.#usages)));
    if (this.#content !== undefined) {
      const { systemPrompt, prompts: messages } = this.#content;
      this.#span.set(messageAttributes({ systemPrompt, messages }, this.#answer));
    }
    const code = outcome === "aborted" ? "aborted" : (this.#errorCode ?? "_OTHER");
    this.#span.end(outcome === "done" ? undefined : code);
  }
}
