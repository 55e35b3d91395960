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

/** The messages of a request. Pointers of errors lead into its body. */
export function readMessages(wire: readonly unknown[], hasPrompt: boolean): AgentMessage[] {
  const reader = new MessagesReader();
  for (const [index, message] of wire.entries()) reader.read(message, `/messages/${index}`, hasPrompt);
  return reader.messages;
}

class MessagesReader {
  readonly messages: AgentMessage[] = [];
  /** By the id of a call: the tool that was called. */
  readonly #tools = new Map<string, string>();

  read(wire: unknown, at: string, hasPrompt: boolean): void {
    if (!isObject(wire)) throw unexpected(at, "a message", wire);
    const { role, content, ...rest } = wire;
    const note = { message: deviations(rest, {}) };
    const inside = `${at}/content`;
    switch (role) {
      case "user":
        this.#user(content, note, inside);
        return;
      case "assistant":
        this.messages.push(this.#assistant(content, note, inside));
        return;
      case "system": {
        // What comes first and is no part of `messages` is the system prompt; this one is told apart by its note.
        const first = !hasPrompt && this.messages.length === 0;
        this.messages.push(system(content, first ? { ...note, turn: "new" } : note, inside));
        return;
      }
      default:
        throw unexpected(`${at}/role`, '"user", "assistant" or "system"', role);
    }
  }

  #assistant(content: unknown, note: object, at: string): AssistantMessage {
    const blocks = typeof content === "string" ? [textBlock(content)] : blocksOf(content, at);
    const answer = blocks.map(readAnswerBlock);
    for (const block of answer) if (block.type === "toolCall") this.#tools.set(block.id, block.name);
    const form = typeof content === "string" ? { content: "string" } : {};
    return withNotes(unattributedAnswer(answer), { ...note, ...form });
  }

  /** The results in a user's message are messages of their own; what stands between them are messages of the user. */
  #user(content: unknown, note: object, at: string): void {
    if (typeof content === "string") {
      this.#push(user(content), note, false);
      return;
    }
    let said: UserContent[] | undefined;
    let joined = false;
    const push = (message: UserMessage | ToolResultMessage, own: object = {}) => {
      this.#push(message, joined ? own : { ...note, ...own }, joined);
      joined = true;
    };
    const flush = () => {
      if (said !== undefined) push(user(said));
      said = undefined;
    };
    for (const block of blocksOf(content, at)) {
      const result = this.#result(block);
      if (result === undefined) {
        said = [...(said ?? []), readGivenBlock(block)];
        continue;
      }
      flush();
      push(result.message, result.note);
    }
    if (!joined && said === undefined) said = [];
    flush();
  }

  #push(message: UserMessage | ToolResultMessage, note: object, joined: boolean): void {
    const expected = sharesTurn(this.messages.at(-1), message);
    const turn = joined === expected ? {} : { turn: joined ? "same" : "new" };
    const unsaid = message.role === "toolResult" && message.toolName === "" ? ["/toolName"] : [];
    this.messages.push({ ...message, ...extWith({ ...note, ...turn }, [...unsaid, "/timestamp"]) });
  }

  #result(wire: Block): { message: ToolResultMessage; note: object } | undefined {
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

function system(content: unknown, note: object, at: string): SystemMessage {
  const said = typeof content === "string" ? content : blocksOf(content, at).map(readGivenBlock);
  return { role: "system", content: said, timestamp: 0, ...extWith(note, ["/timestamp"]) };
}

function user(content: UserMessage["content"]): UserMessage {
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
