import type { JsonObject } from "../../core/json/value.js";
import { addressOf } from "../../core/message/media.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import { isMedia, mediaTypeOf } from "../../core/message/typed-media.js";
import type { AssistantContent, StopReason, ToolCall, ToolResultMessage } from "../../core/types.js";
import { encodeToolPart } from "../../dialects/ai-sdk-ui/tool-part.js";
import { isApprovable } from "../front-ends/approvable.js";
import type { AnswerEnd, Block, CallName, ChunkWriter, Envelope, Turn } from "../front-ends/chunk-writer.js";

/** A chunk of the UI message stream. Its `type` decides its fields. */
export type UiChunk = JsonObject & { type: string };

/** The field that each delta grows, by type. */
const deltas: Readonly<Record<string, "id" | "toolCallId">> = {
  "text-delta": "id",
  "reasoning-delta": "id",
  "tool-input-delta": "toolCallId",
};

/**
 * An answer in the chunks of AI SDK 5, 6 and 7. Tools are `dynamic`, so that pages need no types for them.
 *
 * With approvals, all calls of a turn but the first are sent when they are asked for or run: the SDK continues by itself only
 * if every call that it knows has an approval or a result, and the agent asks for one approval at a time.
 */
export class UiChunkWriter implements ChunkWriter<UiChunk> {
  readonly #approvals: boolean;
  #hasCall = false;
  readonly #held = new Map<string, UiChunk[]>();

  constructor({ approvals }: { approvals: boolean }) {
    this.#approvals = approvals;
  }

  beginTurn(): UiChunk[] {
    this.#hasCall = false;
    return [{ type: "start-step" }];
  }

  endTurn(): UiChunk[] {
    const held = [...this.#held.values()].flat();
    this.#held.clear();
    return [...held, { type: "finish-step" }];
  }

  openBlock({ kind, id }: Block): UiChunk[] {
    return [{ type: kind === "text" ? "text-start" : "reasoning-start", id }];
  }

  appendText({ kind, id }: Block, delta: string): UiChunk[] {
    return [{ type: kind === "text" ? "text-delta" : "reasoning-delta", id, delta }];
  }

  closeBlock({ kind, id }: Block): UiChunk[] {
    return [{ type: kind === "text" ? "text-end" : "reasoning-end", id }];
  }

  openCall({ id: toolCallId, name: toolName }: CallName): UiChunk[] {
    if (this.#approvals && this.#hasCall) this.#held.set(toolCallId, []);
    this.#hasCall = true;
    return this.#hold(toolCallId, { type: "tool-input-start", toolCallId, toolName, dynamic: true });
  }

  appendArguments({ id: toolCallId }: CallName, inputTextDelta: string): UiChunk[] {
    return this.#hold(toolCallId, { type: "tool-input-delta", toolCallId, inputTextDelta });
  }

  closeCall({ id: toolCallId, name: toolName }: CallName, { arguments: input }: ToolCall): UiChunk[] {
    const chunk = { type: "tool-input-available", toolCallId, toolName, input, dynamic: true };
    return this.#hold(toolCallId, chunk);
  }

  dropCall({ id: toolCallId, name: toolName }: CallName): UiChunk[] {
    const errorText = "the answer ended before the call was complete";
    const chunk = { type: "tool-input-error", toolCallId, toolName, input: {}, dynamic: true, errorText };
    return this.#hold(toolCallId, chunk);
  }

  wholeBlock(block: AssistantContent): UiChunk[] {
    if (!isMedia(block)) return [];
    return [{ type: "file", mediaType: mediaTypeOf(block), url: addressOf(block) }];
  }

  startTool(toolCallId: string): UiChunk[] {
    const held = this.#held.get(toolCallId) ?? [];
    this.#held.delete(toolCallId);
    return held;
  }

  updateTool(result: ToolResultMessage): UiChunk[] {
    return [{ ...this.#output(result), preliminary: true }];
  }

  endTool(result: ToolResultMessage): UiChunk[] {
    return [this.#output(result)];
  }

  ask(request: PermissionRequest): UiChunk[] {
    const { id: approvalId, toolCall } = request;
    if (!this.#approvals || !isApprovable(request)) return [];
    return [{ type: "tool-approval-request", approvalId, toolCallId: toolCall.id }];
  }

  join(last: UiChunk, next: UiChunk): UiChunk | undefined {
    if (last.type !== next.type) return undefined;
    if (next["preliminary"] === true || last["preliminary"] === true) {
      return last["preliminary"] === true && last["toolCallId"] === next["toolCallId"] ? next : undefined;
    }
    const field = deltas[next.type];
    if (field === undefined || last[field] !== next[field]) return undefined;
    const text = field === "id" ? "delta" : "inputTextDelta";
    return { ...next, [text]: `${last[text]}${next[text]}` };
  }

  #hold(toolCallId: string, chunk: UiChunk): UiChunk[] {
    const held = this.#held.get(toolCallId);
    if (held === undefined) return [chunk];
    held.push(chunk);
    return [];
  }

  /** As the history has it. */
  #output(result: ToolResultMessage): UiChunk {
    const { toolCallId, toolName: name } = result;
    const call: ToolCall = { type: "toolCall", id: toolCallId, name, arguments: {} };
    const { state, output, errorText } = encodeToolPart(call, result, "");
    return state === "output-error"
      ? { type: "tool-output-error", toolCallId, errorText, dynamic: true }
      : { type: "tool-output-available", toolCallId, output, dynamic: true };
  }
}

const finishReasons: Readonly<Record<StopReason, string>> = {
  stop: "stop",
  length: "length",
  toolUse: "tool-calls",
  error: "error",
  aborted: "other",
};

/** Around each answer: a UI message has the id of the answer's first turn. */
export const uiEnvelope: Envelope<UiChunk> = {
  open: () => [],
  begin: ({ id, timestamp, model }: Turn) => [
    { type: "start", messageId: id, messageMetadata: { createdAt: timestamp, model } },
  ],
  pause: () => [{ type: "finish-step" }, { type: "finish", finishReason: "tool-calls" }],
  close: (end, turn) => [...(turn === undefined ? [] : [{ type: "finish-step" }]), endChunk(end)],
  terminator: "data: [DONE]\n\n",
};

function endChunk(end: AnswerEnd): UiChunk {
  switch (end.outcome) {
    case "done":
      return { type: "finish", finishReason: finishReasons[end.last?.stopReason ?? "stop"] };
    case "aborted":
      return { type: "abort" };
    case "error":
      return { type: "error", errorText: end.message };
  }
}
