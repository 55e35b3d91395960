import { isObject, type JsonObject } from "../../core/json/value.js";
import { unattributedAnswer } from "../../core/message/neutral.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  AssistantMessage,
  SystemMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { extWith, withNotes } from "./notes.js";
import { readAnswerBlock, readGivenBlock } from "./parts.js";
import { sharesTurn } from "./turns.js";
import { type Block, isBlock } from "./wire.js";

/** The messages of a request. Errors have pointers into its body. */
export function readMessages(wire: readonly unknown[], hasPrompt: boolean): AgentMessage[] {
  const reader = new MessagesReader();
  for (const [index, message] of wire.entries()) reader.read(message, `/messages/${index}`, hasPrompt);
  return reader.messages;
}

class MessagesReader {
  readonly messages: AgentMessage[] = [];
  /** Tool names by call id. */
  readonly #tools = new Map<string, string>();

  read(wire: unknown, at: string, hasPrompt: boolean): void {
    if (!isObject(wire)) throw unexpected(at, "a message", wire);
    const { role, content, ...rest } = wire;
    const note = { message: deviations(rest, {}) };
    const inside = `${at}/content`;
    switch (role) {
      case "user":
        this.#readUser(content, note, inside);
        return;
      case "assistant":
        this.messages.push(this.#readAnswer(content, note, inside));
        return;
      case "system": {
        // A first system message without a note is the `system` field of a request, so this one gets a note.
        const first = !hasPrompt && this.messages.length === 0;
        this.messages.push(readSystemMessage(content, first ? { ...note, turn: "new" } : note, inside));
        return;
      }
      default:
        throw unexpected(`${at}/role`, '"user", "assistant" or "system"', role);
    }
  }

  #readAnswer(content: unknown, note: object, at: string): AssistantMessage {
    const blocks = typeof content === "string" ? [textBlock(content)] : blocksOf(content, at);
    const answer = blocks.map(readAnswerBlock);
    for (const block of answer) if (block.type === "toolCall") this.#tools.set(block.id, block.name);
    const form = typeof content === "string" ? { content: "string" } : {};
    return withNotes(unattributedAnswer(answer), { ...note, ...form });
  }

  /** Each tool result in a user message becomes its own message; the content between results becomes user messages. */
  #readUser(content: unknown, note: object, at: string): void {
    if (typeof content === "string") {
      this.#push(userMessage(content), note, false);
      return;
    }
    let pending: UserContent[] | undefined;
    let joined = false;
    const push = (message: UserMessage | ToolResultMessage, own: object = {}) => {
      this.#push(message, joined ? own : { ...note, ...own }, joined);
      joined = true;
    };
    const flush = () => {
      if (pending !== undefined) push(userMessage(pending));
      pending = undefined;
    };
    for (const block of blocksOf(content, at)) {
      const result = this.#readResult(block);
      if (result === undefined) {
        pending = [...(pending ?? []), readGivenBlock(block)];
        continue;
      }
      flush();
      push(result.message, result.note);
    }
    if (!joined && pending === undefined) pending = [];
    flush();
  }

  #push(message: UserMessage | ToolResultMessage, note: object, joined: boolean): void {
    const expected = sharesTurn(this.messages.at(-1), message);
    const turn = joined === expected ? {} : { turn: joined ? "same" : "new" };
    const unknown = message.role === "toolResult" && message.toolName === "" ? ["/toolName"] : [];
    this.messages.push({ ...message, ...extWith({ ...note, ...turn }, [...unknown, "/timestamp"]) });
  }

  #readResult(wire: Block): { message: ToolResultMessage; note: object } | undefined {
    const { content, ...rest } = wire;
    const { type, tool_use_id: toolCallId, is_error: isError = false } = rest;
    if (type !== "tool_result" || typeof toolCallId !== "string" || typeof isError !== "boolean")
      return undefined;
    if (content !== undefined && typeof content !== "string" && !areBlocks(content)) return undefined;
    const blocks = typeof content === "string" ? [textBlock(content)] : (content ?? []);
    const plain: JsonObject = { type, tool_use_id: toolCallId, ...(isError ? { is_error: true } : {}) };
    const form = typeof content === "string" ? "string" : content?.length === 0 ? "array" : undefined;
    return {
      message: {
        role: "toolResult",
        toolCallId,
        toolName: this.#tools.get(toolCallId) ?? "",
        content: blocks.map(readGivenBlock),
        isError,
        timestamp: 0,
      },
      note: { ...deviations(rest, plain), ...(form === undefined ? {} : { content: form }) },
    };
  }
}

function readSystemMessage(wire: unknown, note: object, at: string): SystemMessage {
  const content = typeof wire === "string" ? wire : blocksOf(wire, at).map(readGivenBlock);
  return { role: "system", content, timestamp: 0, ...extWith(note, ["/timestamp"]) };
}

function userMessage(content: UserMessage["content"]): UserMessage {
  return { role: "user", content, timestamp: 0 };
}

function textBlock(text: string): Block {
  return { type: "text", text };
}

function areBlocks(content: unknown): content is Block[] {
  return Array.isArray(content) && content.every(isBlock);
}

function blocksOf(content: unknown, at: string): Block[] {
  if (!Array.isArray(content)) throw unexpected(at, "text or a list of blocks", content);
  return content.map((block: unknown, index) => {
    if (isBlock(block)) return block;
    throw unexpected(`${at}/${index}`, "a block with a type", block);
  });
}
