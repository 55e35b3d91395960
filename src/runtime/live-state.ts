import type { AgentEvent, AssistantContent, AssistantMessage, AssistantMessageEvent } from "../core/types.js";

export interface RunningTool {
  toolCallId: string;
  toolName: string;
  args: unknown;
  partialResult?: unknown;
}

/**
 * What is in progress and not in the log yet: the partial answer and the running tools. A watcher that joins mid-answer is
 * shown this first and misses nothing. The answer is the live object: it grows, so copy what you keep.
 */
export class LiveState {
  /** Whether an agent is running. A conversation stays busy a little longer, to store what is left. */
  running = false;
  answer: AssistantMessage | undefined;
  /** The raw text of the answer's calls so far, by block index; the answer has only the part that could be parsed. */
  readonly #callTexts = new Map<number, string>();
  readonly tools = new Map<string, RunningTool>();

  apply(event: AgentEvent): void {
    switch (event.type) {
      case "agent_start":
        this.running = true;
        return;
      case "message_start":
        this.#callTexts.clear();
        if (event.message.role === "assistant") this.answer = event.message;
        return;
      case "message_update": {
        if (event.message.role === "assistant") this.answer = event.message;
        const { assistantMessageEvent: step } = event;
        if (step.type === "toolcall_delta") this.#addCallText(step.contentIndex, step.delta);
        // Some models send a call at once, without deltas.
        if (step.type === "toolcall_end" && !this.#callTexts.has(step.contentIndex)) {
          this.#addCallText(step.contentIndex, JSON.stringify(step.toolCall.arguments));
        }
        return;
      }
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

  /** Events that reproduce the answer so far, for watchers that join late. */
  answerEvents(): AssistantMessageEvent[] {
    const blocks = this.answer?.content ?? [];
    return blocks.flatMap((block, index) => eventsOf(block, index, this.#callTexts.get(index)));
  }

  #addCallText(contentIndex: number, delta: string): void {
    this.#callTexts.set(contentIndex, (this.#callTexts.get(contentIndex) ?? "") + delta);
  }

  clear(): void {
    this.running = false;
    this.answer = undefined;
    this.tools.clear();
  }
}

function eventsOf(
  block: AssistantContent,
  contentIndex: number,
  callText: string | undefined,
): AssistantMessageEvent[] {
  switch (block.type) {
    case "text":
      return [{ type: "text_delta", contentIndex, delta: block.text }];
    case "thinking":
      return [{ type: "thinking_delta", contentIndex, delta: block.thinking }];
    case "toolCall": {
      const start = { type: "toolcall_start" as const, contentIndex, id: block.id, name: block.name };
      return callText === undefined
        ? [start]
        : [start, { type: "toolcall_delta", contentIndex, delta: callText }];
    }
    default:
      return [{ type: "block_end", contentIndex, block }];
  }
}
