import { isObject, type JsonObject } from "../../core/json/value.js";
import { unattributedAnswer, undated } from "../../core/message/neutral.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage, UserContent } from "../../core/types.js";
import { extWith, withNotes } from "./notes.js";
import { readAnswerBlock, readGivenBlock } from "./parts.js";
import { sideOf } from "./turns.js";
import { type Block, objectIn } from "./wire.js";

/** The messages of a request. Errors have pointers into its body. */
export function readMessages(wire: readonly unknown[], hasPrompt: boolean): AgentMessage[] {
  const reader = new MessagesReader(hasPrompt);
  for (const [index, message] of wire.entries()) reader.read(message, `/messages/${index}`);
  return reader.messages;
}

class MessagesReader {
  readonly messages: AgentMessage[] = [];
  readonly #hasPrompt: boolean;
  /** Tool names by call id. */
  readonly #tools = new Map<string, string>();

  constructor(hasPrompt: boolean) {
    this.#hasPrompt = hasPrompt;
  }

  read(wire: unknown, at: string): void {
    if (!isObject(wire)) throw unexpected(at, "a message", wire);
    const { role, content, ...rest } = wire;
    const blocks = blocksOf(content, `${at}/content`);
    const note = { message: deviations(rest, {}) };
    switch (role) {
      case "user":
        this.#pushAll(this.#readUser(blocks), note);
        return;
      case "assistant":
        this.#pushAll([this.#readAnswer(blocks)], note);
        return;
      case "system":
        this.#pushAll([{ role, content: blocks.map(readGivenBlock), ...undated() }], note);
        return;
      default:
        throw unexpected(`${at}/role`, '"user" or "assistant"', role, "a system prompt goes into system");
    }
  }

  /** Adds the messages that were read from one wire message. */
  #pushAll(messages: readonly AgentMessage[], note: object): void {
    for (const [index, message] of messages.entries()) {
      const last = this.messages.at(-1);
      const isNew = index === 0 && last !== undefined && sideOf(last) === sideOf(message);
      // A first system message without a note would be read as the system prompt.
      const isFirst = last === undefined && message.role === "system" && !this.#hasPrompt;
      const own = { ...(index === 0 ? note : {}), ...(isNew || isFirst ? { turn: "new" } : {}) };
      this.messages.push(withNotes(message, own));
    }
  }

  #readAnswer(blocks: readonly Block[]): AssistantMessage {
    const content = blocks.map(readAnswerBlock);
    for (const block of content) if (block.type === "toolCall") this.#tools.set(block.id, block.name);
    return unattributedAnswer(content);
  }

  /** Each tool result in a user message becomes its own message; the content between results becomes user messages. */
  #readUser(blocks: readonly Block[]): AgentMessage[] {
    const messages: AgentMessage[] = [];
    let pending: UserContent[] = [];
    const flush = () => {
      if (pending.length > 0) messages.push({ role: "user", content: pending, ...undated() });
      pending = [];
    };
    for (const block of blocks) {
      const result = this.#readResult(block);
      if (result === undefined) {
        pending.push(readGivenBlock(block));
        continue;
      }
      flush();
      messages.push(result);
    }
    flush();
    return messages.length === 0 ? [{ role: "user", content: [], ...undated() }] : messages;
  }

  #readResult(block: Block): ToolResultMessage | undefined {
    const wire = objectIn(block, "toolResult");
    if (wire === undefined || Object.keys(block).length !== 1) return undefined;
    const { toolUseId: toolCallId, content, status } = wire;
    if (typeof toolCallId !== "string" || !Array.isArray(content) || !content.every(isObject))
      return undefined;
    const toolName = this.#tools.get(toolCallId) ?? "";
    const isError = status === "error";
    const plain = { toolUseId: toolCallId, content, ...(isError ? { status } : {}) };
    return {
      role: "toolResult",
      toolCallId,
      toolName,
      content: content.map(readGivenBlock),
      isError,
      timestamp: 0,
      ...extWith({ ...deviations(wire, plain) }, [...(toolName === "" ? ["/toolName"] : []), "/timestamp"]),
    };
  }
}

function blocksOf(content: unknown, at: string): JsonObject[] {
  if (!Array.isArray(content)) throw unexpected(at, "a list of blocks", content);
  return content.map((block: unknown, index) => {
    if (isObject(block)) return block;
    throw unexpected(`${at}/${index}`, "a block", block);
  });
}
