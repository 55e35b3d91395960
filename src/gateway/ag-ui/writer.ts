import type { JsonObject } from "../../core/json/value.js";
import { addressOf } from "../../core/message/media.js";
import { isMedia, mediaTypeOf } from "../../core/message/typed-media.js";
import type { AssistantContent, ToolResultMessage } from "../../core/types.js";
import type { Block, CallName, ChunkWriter, Turn } from "../front-ends/chunk-writer.js";

/** An event of the protocol. Its `type` decides its fields. */
export type AgUiEvent = JsonObject & { type: string };

/** Events whose `delta` grows what this field names. */
const deltas: Readonly<Record<string, "messageId" | "toolCallId">> = {
  TEXT_MESSAGE_CONTENT: "messageId",
  REASONING_MESSAGE_CONTENT: "messageId",
  TOOL_CALL_ARGS: "toolCallId",
};

/** An answer in the events of AG-UI. Each block of text is a message of its own: a client appends to a message that it knows. */
export class AgUiWriter implements ChunkWriter<AgUiEvent> {
  #turn: Turn | undefined;
  /** The message that the turn's calls belong to. */
  #parent: string | undefined;

  beginTurn(turn: Turn): AgUiEvent[] {
    this.#turn = turn;
    this.#parent = undefined;
    return [];
  }

  endTurn(): AgUiEvent[] {
    return [];
  }

  openBlock({ kind, id: messageId }: Block): AgUiEvent[] {
    if (kind === "thinking") {
      return [
        { type: "REASONING_START", messageId },
        { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
      ];
    }
    this.#parent = messageId;
    return [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }];
  }

  appendText({ kind, id: messageId }: Block, delta: string): AgUiEvent[] {
    return [
      { type: kind === "text" ? "TEXT_MESSAGE_CONTENT" : "REASONING_MESSAGE_CONTENT", messageId, delta },
    ];
  }

  closeBlock({ kind, id: messageId }: Block): AgUiEvent[] {
    if (kind === "text") return [{ type: "TEXT_MESSAGE_END", messageId }];
    return [
      { type: "REASONING_MESSAGE_END", messageId },
      { type: "REASONING_END", messageId },
    ];
  }

  openCall({ id: toolCallId, name: toolCallName, blockId }: CallName): AgUiEvent[] {
    this.#parent ??= blockId;
    return [{ type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId: this.#parent }];
  }

  appendArguments({ id: toolCallId }: CallName, delta: string): AgUiEvent[] {
    return [{ type: "TOOL_CALL_ARGS", toolCallId, delta }];
  }

  closeCall({ id: toolCallId }: CallName): AgUiEvent[] {
    return [{ type: "TOOL_CALL_END", toolCallId }];
  }

  dropCall(call: CallName): AgUiEvent[] {
    const content = "the answer ended before the call was complete";
    return [...this.closeCall(call), this.#result(call.id, content)];
  }

  /** An assistant's message has only text. */
  wholeBlock(block: AssistantContent, id: string): AgUiEvent[] {
    if (!isMedia(block)) return [];
    const value = { id, mediaType: mediaTypeOf(block), url: addressOf(block) };
    return [{ type: "CUSTOM", name: "dragoman.file", value }];
  }

  startTool(): AgUiEvent[] {
    return [];
  }

  updateTool(): AgUiEvent[] {
    return [];
  }

  endTool({ toolCallId, content }: ToolResultMessage): AgUiEvent[] {
    const texts = content.map((block) => (block.type === "text" ? block.text : `[${mediaName(block)}]`));
    return [this.#result(toolCallId, texts.join("\n"))];
  }

  ask(): AgUiEvent[] {
    return [];
  }

  join(last: AgUiEvent, next: AgUiEvent): AgUiEvent | undefined {
    const field = last.type === next.type ? deltas[next.type] : undefined;
    if (field === undefined || last[field] !== next[field]) return undefined;
    return { ...next, delta: `${last["delta"]}${next["delta"]}` };
  }

  #result(toolCallId: string, content: string): AgUiEvent {
    const messageId = `${this.#turn?.id ?? ""}:${toolCallId}`;
    return { type: "TOOL_CALL_RESULT", messageId, toolCallId, role: "tool", content };
  }
}

function mediaName(block: ToolResultMessage["content"][number]): string {
  return isMedia(block) ? mediaTypeOf(block) : block.type;
}
