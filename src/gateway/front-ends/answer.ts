import { resultOf } from "../../agent/tool-result.js";
import { isObject } from "../../core/json/value.js";
import { failureIn, isSilent } from "../../core/message/failure.js";
import { idsOf } from "../../core/message/notes.js";
import { callsOf } from "../../core/message/open-calls.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import { sumUsage } from "../../core/message/usage.js";
import type {
  AgentEvent,
  AgentMessage,
  AssistantMessage,
  AssistantMessageEvent,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "../../core/types.js";
import type { Outcome } from "../../runtime/types.js";
import type { AnswerEnd, ChunkWriter, Turn } from "./chunk-writer.js";
import { TurnBlocks } from "./turn-blocks.js";

/** The place of a permission request in an answer. */
interface Asked {
  request: PermissionRequest;
  /** The number of chunks up to the request. */
  end: number;
  isOpen: boolean;
}

/**
 * The answer to a user message, as the chunks of a protocol: all turns until the next user message or the end of the run.
 * It is the same whether it was followed from its first token, joined later, or read from the log.
 */
export class Answer<C> {
  readonly prompt: UserMessage;
  /** The ids of the prompt. Several if it was combined from several messages. */
  readonly to: ReadonlySet<string>;
  /** Everything so far, with the deltas of a block joined. */
  readonly chunks: C[] = [];
  readonly #writer: ChunkWriter<C>;
  readonly #asked: Asked[] = [];
  readonly #stored = new Set<string>();
  readonly #results = new Set<string>();
  /** The number of chunks up to the end of each call's turn, without its results. */
  readonly #callEnds = new Map<string, number>();
  #first: Turn | undefined;
  #turn: { turn: Turn; blocks: TurnBlocks<C> } | undefined;
  #last: AssistantMessage | undefined;
  readonly #usages: Usage[] = [];
  #failure: string | undefined;
  end: AnswerEnd | undefined;

  constructor(writer: ChunkWriter<C>, prompt: UserMessage) {
    this.#writer = writer;
    this.prompt = prompt;
    this.to = new Set(idsOf(prompt));
  }

  /** The first turn, whose id names the whole answer. */
  get first(): Turn | undefined {
    return this.#first;
  }

  /** The turn in progress. */
  get turn(): Turn | undefined {
    return this.#turn?.turn;
  }

  /** The permission requests without an answer. */
  get openRequests(): PermissionRequest[] {
    return this.#asked.flatMap(({ request, isOpen }) => (isOpen ? [request] : []));
  }

  /** How many chunks a client has that was asked for permission for these calls; undefined if the answer has none of them. */
  endOfRequest(toolCallIds: ReadonlySet<string>): number | undefined {
    const asked = this.#asked.findLast(({ request }) => toolCallIds.has(request.toolCall.id));
    return asked?.end ?? [...toolCallIds].flatMap((id) => this.#callEnds.get(id) ?? []).at(-1);
  }

  /** How the agent has finished, as far as the messages show; undefined if it has not. */
  get outcome(): Outcome | undefined {
    if (this.#failure !== undefined) return "error";
    if (this.#last === undefined || this.#last.stopReason === "toolUse") return undefined;
    return this.#last.stopReason === "aborted" ? "aborted" : "done";
  }

  /** A step of the turn that is streaming. */
  addStep(message: AssistantMessage, event: AssistantMessageEvent): C[] {
    if (message.id === undefined || this.#stored.has(message.id)) return [];
    const begun = this.#beginTurn({ ...message, id: message.id });
    return this.#add([...begun, ...(this.#turn?.blocks.push(event, message) ?? [])]);
  }

  /** A stored message. Of a turn that was streamed only the rest is added. */
  addMessage(message: AgentMessage): C[] {
    switch (message.role) {
      case "assistant":
        return this.#addTurn(message);
      case "toolResult":
        return this.#addResult(message);
      case "error":
        this.#failure = failureIn(message)?.message;
        return [];
      default:
        return [];
    }
  }

  addToolEvent(event: AgentEvent): C[] {
    switch (event.type) {
      case "tool_execution_start":
        return this.#add(this.#writer.startTool(event.toolCallId));
      case "tool_execution_update":
        if (this.#results.has(event.toolCallId)) return [];
        return this.#add(this.#writer.updateTool(resultIn(event, event.partialResult, false)));
      case "tool_execution_end":
        return this.#addResult(resultIn(event, event.result, event.isError));
      default:
        return [];
    }
  }

  ask(request: PermissionRequest): C[] {
    if (this.#asked.some((asked) => asked.request.id === request.id)) return [];
    const chunks = this.#add([...this.#writer.startTool(request.toolCall.id), ...this.#writer.ask(request)]);
    this.#asked.push({ request, end: this.chunks.length, isOpen: true });
    return chunks;
  }

  closeRequest(id: string): void {
    const asked = this.#asked.find(({ request }) => request.id === id);
    if (asked !== undefined) asked.isOpen = false;
  }

  /** No more chunks follow. Returns those that close what is open. */
  finish(outcome: Outcome, error?: string): C[] {
    const rest = this.#add(this.#turn?.blocks.finish([]) ?? []);
    this.end = this.#endOf(outcome, error);
    return rest;
  }

  #endOf(outcome: Outcome, error: string | undefined): AnswerEnd {
    if (outcome === "aborted") return { outcome };
    const message = this.#failure ?? error;
    if (outcome === "error" || this.#failure !== undefined) {
      return { outcome: "error", message: message ?? "the run failed" };
    }
    return { outcome, last: this.#last, usage: sumUsage(this.#usages) };
  }

  #addTurn(message: AssistantMessage): C[] {
    const { id } = message;
    if (id === undefined || this.#stored.has(id)) return [];
    this.#stored.add(id);
    this.#last = message;
    this.#usages.push(message.usage);
    this.#failure = failureIn(message)?.message;
    if (isSilent(message)) return [];
    const begun = this.#beginTurn({ ...message, id });
    const added = this.#add([...begun, ...(this.#turn?.blocks.finish(message.content) ?? [])]);
    for (const call of callsOf(message)) this.#callEnds.set(call.id, this.chunks.length);
    return added;
  }

  #addResult(result: ToolResultMessage): C[] {
    if (this.#results.has(result.toolCallId)) return [];
    this.#results.add(result.toolCallId);
    return this.#add([...this.#writer.startTool(result.toolCallId), ...this.#writer.endTool(result)]);
  }

  #beginTurn({ id, timestamp, model }: Turn): C[] {
    if (this.#turn?.turn.id === id) return [];
    const turn = { id, timestamp, model };
    const before = this.#turn;
    this.#turn = { turn, blocks: new TurnBlocks(this.#writer, id) };
    this.#first ??= turn;
    // Some models number the calls of each turn from the beginning.
    this.#results.clear();
    const ended =
      before === undefined ? [] : [...before.blocks.finish([]), ...this.#writer.endTurn(before.turn)];
    return [...ended, ...this.#writer.beginTurn(turn)];
  }

  #add(chunks: C[]): C[] {
    for (const chunk of chunks) {
      const last = this.chunks.at(-1);
      // A chunk before a request is not changed any more: a client that answers it continues there.
      const isFixed = this.#asked.at(-1)?.end === this.chunks.length;
      const joined = last === undefined || isFixed ? undefined : this.#writer.join(last, chunk);
      if (joined === undefined) this.chunks.push(chunk);
      else this.chunks[this.chunks.length - 1] = joined;
    }
    return chunks;
  }
}

/** A running tool's output, in the form of its result. */
function resultIn(
  { toolCallId, toolName }: { toolCallId: string; toolName: string },
  output: unknown,
  isError: boolean,
): ToolResultMessage {
  const call = { type: "toolCall" as const, id: toolCallId, name: toolName, arguments: {} };
  return { ...resultOf(call, isObject(output) ? { content: "", ...output } : { content: "" }, 0), isError };
}
