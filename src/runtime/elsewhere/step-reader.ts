import { emptyUsage } from "../../core/message/usage.js";
import { MessageReducer } from "../../core/stream/reduce.js";
import type {
  AgentEvent,
  AgentEventLine,
  AgentMessage,
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventLine,
  MessageName,
  ToolResultMessage,
} from "../../core/types.js";
import type { LiveState } from "../live-state.js";

type Update = Extract<AgentEvent, { type: "message_update" }>["assistantMessageEvent"];

/** Turns the steps of another gateway's run into events, as they were in its process. */
export class StepReader {
  readonly #live: LiveState;
  readonly #now: () => number;
  #reducer: MessageReducer | undefined;
  #messages: AgentMessage[] = [];
  #answer: AssistantMessage | undefined;
  #results: ToolResultMessage[] = [];

  constructor(live: LiveState, now: () => number) {
    this.#live = live;
    this.#now = now;
  }

  /** Undefined if the step has no event here: a user's message begins when it is stored. */
  read(step: Exclude<AgentEventLine, { type: "message_end" }>): AgentEvent | undefined {
    switch (step.type) {
      case "message_start":
        return step.message.role === "assistant" ? this.#begin(step.message) : undefined;
      case "message_update":
        return this.#update(step.assistantMessageEvent);
      case "tool_execution_update":
        return { ...step, args: step.args ?? this.#live.tools.get(step.toolCallId)?.args };
      case "turn_end": {
        const [message, toolResults] = [this.#answer, this.#results];
        this.#results = [];
        return message === undefined ? undefined : { type: "turn_end", message, toolResults };
      }
      case "agent_end":
        return { type: "agent_end", messages: this.#messages };
      default:
        return step;
    }
  }

  /** The end of a message, which was read from the store. */
  end(message: AgentMessage): AgentEvent {
    this.#messages.push(message);
    if (message.role === "toolResult") this.#results.push(message);
    if (message.role === "assistant") {
      this.#answer = message;
      this.#reducer = undefined;
    }
    return { type: "message_end", message };
  }

  /** Steps of the answer in progress are missing: what follows of it cannot be shown. */
  skipAnswer(): void {
    this.#reducer = undefined;
  }

  #begin({ id }: MessageName | AgentMessage): AgentEvent {
    const message: AssistantMessage = {
      role: "assistant",
      content: [],
      api: "",
      provider: "",
      model: "",
      usage: emptyUsage(),
      stopReason: "stop",
      timestamp: this.#now(),
      ...(id === undefined ? {} : { id }),
    };
    this.#reducer = new MessageReducer();
    this.#reducer.push({ type: "start", partial: message });
    return { type: "message_start", message: this.#reducer.partial ?? message };
  }

  #update(line: AssistantMessageEventLine): AgentEvent | undefined {
    const reducer = this.#reducer;
    const event = reducer?.partial === undefined ? undefined : wholeEvent(line, reducer.partial);
    if (reducer === undefined || event === undefined) return undefined;
    const update = reducer.push(event);
    return isUpdate(update)
      ? { type: "message_update", message: update.partial, assistantMessageEvent: update }
      : undefined;
  }
}

function isUpdate(event: AssistantMessageEvent): event is Update {
  return event.type !== "done" && event.type !== "error" && event.partial !== undefined;
}

/** On a wire, the end of a text does not repeat it. */
function wholeEvent(
  line: AssistantMessageEventLine,
  { content: blocks }: AssistantMessage,
): AssistantMessageEvent | undefined {
  switch (line.type) {
    case "done":
    case "error":
      return undefined;
    case "text_end": {
      const block = blocks[line.contentIndex];
      return { ...line, content: line.content ?? (block?.type === "text" ? block.text : "") };
    }
    case "thinking_end": {
      const block = blocks[line.contentIndex];
      return { ...line, content: line.content ?? (block?.type === "thinking" ? block.thinking : "") };
    }
    default:
      return line;
  }
}
