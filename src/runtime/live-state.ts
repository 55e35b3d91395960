import type { AgentEvent, AssistantContent, AssistantMessage, AssistantMessageEvent } from "../core/types.js";

export interface RunningTool {
  toolCallId: string;
  toolName: string;
  args: unknown;
  partialResult?: unknown;
}

/**
 * What is in progress and not in the log yet: the partial answer and the running tools. A watcher that joins mid-answer is
 * shown this first and misses nothing. The answer is the live object: it grows, so copy what you keep. It can be ahead of the
 * events, which wait until their text is in the run's mark.
 */
export class LiveState {
  /** Whether an agent is running. A conversation stays busy a little longer, to store what is left. */
  running = false;
  answer: AssistantMessage | undefined;
  /** The text of each block, as far as there were events of it; of a call, the raw text of its arguments. */
  readonly #texts = new Map<number, string>();
  readonly tools = new Map<string, RunningTool>();

  apply(event: AgentEvent): void {
    switch (event.type) {
      case "agent_start":
        this.running = true;
        return;
      case "message_start":
        this.#texts.clear();
        if (event.message.role === "assistant") this.answer = event.message;
        return;
      case "message_update":
        if (event.message.role === "assistant") this.answer = event.message;
        this.#addText(event.assistantMessageEvent);
        return;
      case "message_end":
        if (event.message.role === "assistant") this.answer = undefined;
        return;
      case "tool_execution_start":
      case "tool_execution_update": {
        const { type: _, ...tool } = event;
        this.tools.set(event.toolCallId, tool);
        return;
      }
      case "tool_execution_end":
        this.tools.delete(event.toolCallId);
        return;
      case "agent_end":
        this.clear();
        return;
      default:
    }
  }

  /** Events that reproduce those of the answer so far, for watchers that join late. */
  answerEvents(): AssistantMessageEvent[] {
    const blocks = this.answer?.content ?? [];
    return blocks.flatMap((block, index) => {
      const text = this.#texts.get(index);
      return text === undefined ? [] : eventsOf(block, index, text);
    });
  }

  #addText(step: AssistantMessageEvent): void {
    if (!("contentIndex" in step)) return;
    const { contentIndex } = step;
    const text = this.#texts.get(contentIndex) ?? "";
    this.#texts.set(contentIndex, textAfter(step, text));
  }

  clear(): void {
    this.running = false;
    this.answer = undefined;
    this.tools.clear();
  }
}

/** The text of a block after another event of it. */
function textAfter(step: AssistantMessageEvent, text: string): string {
  switch (step.type) {
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return text + step.delta;
    case "text_end":
    case "thinking_end":
      return step.content;
    case "toolcall_end":
      // Some models send a call at once, without deltas.
      return text === "" ? JSON.stringify(step.toolCall.arguments) : text;
    default:
      return text;
  }
}

function eventsOf(block: AssistantContent, contentIndex: number, text: string): AssistantMessageEvent[] {
  switch (block.type) {
    case "text":
      return [{ type: "text_delta", contentIndex, delta: text }];
    case "thinking":
      return [{ type: "thinking_delta", contentIndex, delta: text }];
    case "toolCall": {
      const start = { type: "toolcall_start" as const, contentIndex, id: block.id, name: block.name };
      return text === "" ? [start] : [start, { type: "toolcall_delta", contentIndex, delta: text }];
    }
    default:
      return [{ type: "block_end", contentIndex, block }];
  }
}
