import type { WatchEvent } from "../../client/watch.js";
import { isObject } from "../../core/json/value.js";
import { failureIn } from "../../core/message/failure.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage, UserContent } from "../../core/types.js";
import { is } from "../../core/validate.js";
import type { SessionUpdate } from "../agent-messages.js";
import { blockOf } from "./content.js";
import { callView, contentView, resultView, type ShownCall, type ShownResult } from "./tool-call-view.js";

type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

export interface UpdatesOptions {
  /** The folder that the tools work in. */
  cwd: string;
  /** Whether the client shows compactions. */
  showsCompaction: boolean;
}

/**
 * Translates a session into updates: stored messages in full, and the steps of a run as they happen. What was streamed is not
 * repeated when it is stored, so an update appears once, whether the client saw the run, joined it or loads the session.
 */
export class SessionUpdates {
  readonly #options: UpdatesOptions;
  /** Calls that the client knows. */
  readonly #calls = new Map<string, ShownCall>();
  readonly #finished = new Set<string>();
  /** The answer being streamed. */
  #streaming: { id?: string } | undefined;
  #isRunning = false;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  /** A stored message. `isOwn`: the client sent it, and shows it already. */
  stored(message: AgentMessage, isOwn = false): SessionUpdate[] {
    switch (message.role) {
      case "user":
        return isOwn ? [] : chunks("user_message_chunk", message.content, message.id);
      case "assistant":
        return this.#answer(message);
      case "toolResult":
        return this.#result(message);
      case "custom":
        // The model is shown it as the user's.
        return message.content === undefined ? [] : chunks("user_message_chunk", message.content, message.id);
      case "error":
        return chunks("agent_message_chunk", `Error: ${message.content}`, message.id);
      case "compaction": {
        const { id: compactionId, summary } = message;
        if (!this.#options.showsCompaction || compactionId === undefined) return [];
        return [
          {
            sessionUpdate: "compaction_update",
            compactionId,
            status: "completed",
            summary: [{ type: "text", text: summary }],
          },
        ];
      }
      default:
        return [];
    }
  }

  /** A step of a run. */
  step(event: WatchEvent): SessionUpdate[] {
    switch (event.type) {
      case "message_start": {
        const { role, id } = event.message;
        this.#streaming = role === "assistant" ? (id === undefined ? {} : { id }) : undefined;
        return [];
      }
      case "message_update": {
        const step = event.assistantMessageEvent;
        const id = this.#streaming?.id;
        if (step.type === "text_delta") return chunks("agent_message_chunk", step.delta, id);
        if (step.type === "thinking_delta") return chunks("agent_thought_chunk", step.delta, id);
        if (step.type === "toolcall_end") {
          const { id: callId, name, arguments: args } = step.toolCall;
          return this.#announce({ id: callId, name, args });
        }
        return [];
      }
      case "message_end":
        this.#streaming = undefined;
        return [];
      case "tool_execution_start": {
        const { toolCallId: id, toolName: name, args } = event;
        return [...this.#announce({ id, name, args }), this.#progress(id)];
      }
      case "tool_execution_update": {
        const { toolCallId: id, toolName: name } = event;
        const { content } = resultOf(event.partialResult, false);
        return [{ ...this.#progress(id), content: contentView(name, content) }];
      }
      case "tool_execution_end": {
        const { toolCallId: id, toolName: name, result, isError } = event;
        return this.#finish({ id, name, args: {} }, resultOf(result, isError));
      }
      case "run_start":
        this.#isRunning = true;
        return [];
      case "run_end":
        this.#streaming = undefined;
        this.#isRunning = false;
        return [];
      default:
        return [];
    }
  }

  #answer(message: AssistantMessage): SessionUpdate[] {
    const { id, content } = message;
    const isStreamed = this.#streaming !== undefined && this.#streaming.id === id;
    const updates = content.flatMap((block) => {
      switch (block.type) {
        case "toolCall":
          return this.#announce({ id: block.id, name: block.name, args: block.arguments });
        case "text":
          return isStreamed ? [] : chunks("agent_message_chunk", [block], id);
        case "thinking":
          return isStreamed ? [] : chunks("agent_thought_chunk", block.thinking, id);
        default:
          return chunks("agent_message_chunk", [block], id);
      }
    });
    // At the end of a run its failure is reported.
    const failure = this.#isRunning ? undefined : failureIn(message);
    if (failure === undefined) return updates;
    return [...updates, ...chunks("agent_message_chunk", `Error: ${failure.message}`, id)];
  }

  #result(message: ToolResultMessage): SessionUpdate[] {
    const { toolCallId: id, toolName: name, isPending = false } = message;
    if (this.#finished.has(id)) return [];
    if (isPending) return [this.#progress(id)];
    return this.#finish({ id, name, args: {} }, message);
  }

  #announce(call: ShownCall): SessionUpdate[] {
    // Some providers use an id again in a later answer.
    if (this.#calls.has(call.id) && !this.#finished.delete(call.id)) return [];
    this.#calls.set(call.id, call);
    return [{ sessionUpdate: "tool_call", status: "pending", ...callView(call, this.#options.cwd) }];
  }

  #progress(toolCallId: string): Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }> {
    return { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" };
  }

  /** `unknown` is shown if the call was not announced, as in a session that was resumed without its history. */
  #finish(unknown: ShownCall, result: ShownResult): SessionUpdate[] {
    const call = this.#calls.get(unknown.id);
    const announced = call === undefined ? this.#announce(unknown) : [];
    this.#finished.add(unknown.id);
    return [
      ...announced,
      {
        sessionUpdate: "tool_call_update",
        status: result.isError ? "failed" : "completed",
        ...resultView(call ?? unknown, result, this.#options.cwd),
      },
    ];
  }
}

function chunks(
  sessionUpdate: ChunkKind,
  content: string | readonly Parameters<typeof blockOf>[0][],
  messageId: string | undefined,
): SessionUpdate[] {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return blocks.flatMap((block) => {
    const shown = blockOf(block);
    if (shown === undefined || (shown.type === "text" && shown.text === "")) return [];
    return { sessionUpdate, content: shown, ...(messageId === undefined ? {} : { messageId }) };
  });
}

/** The content and details of a result in an event. */
function resultOf(result: unknown, isError: boolean): ShownResult {
  const { content, details } = isObject(result) ? result : {};
  const blocks: UserContent[] = Array.isArray(content)
    ? content.filter((block) => is("UserContent", block))
    : [];
  return { content: blocks, isError, ...(details === undefined ? {} : { details }) };
}
