import { isBroken } from "../message/failure.js";
import type {
  AgentMessage,
  AssistantMessage,
  CompactionMessage,
  Loss,
  Message,
  SystemMessage,
  UserMessage,
} from "../types.js";
import { addedContent, asUser, quotedJson } from "./as-user.js";
import { carriedOver, lastCompaction } from "./compaction.js";
import { frameInbound } from "./inbound.js";
import { headPrompt, promptText } from "./system-prompt.js";

/** What a model is shown: the conversation, and what the operator adds to it later. */
export type ShownMessage = Message | SystemMessage;

/** A message as a model is shown it, and the index of its source message. */
export interface Shown<M extends ShownMessage = ShownMessage> {
  message: M;
  index: number;
}

export interface ShownConversation {
  /** The given prompt, then the system messages at the conversation's head. */
  systemPrompt?: string;
  messages: Shown[];
}

export type ReportLoss = (loss: Loss) => void;

/**
 * What a model is shown of a conversation; requests, token estimates and summaries all use this. System messages at the head
 * become the prompt; later ones stay system messages, as text. A compaction replaces what it summarises. Text of other agents and programs becomes user text, quoted as
 * JSON so that it cannot be mistaken for anything else. Incomplete answers are left out with their results, and so are
 * messages for people and programs (status, errors, notes). Each change that loses something is reported, with a pointer
 * into the conversation (`/messages/3`).
 */
export function showConversation(
  { systemPrompt, messages }: { systemPrompt?: string | undefined; messages: readonly AgentMessage[] },
  report: ReportLoss = () => undefined,
): ShownConversation {
  const { taken, prompt } = headPrompt(messages);
  const head = new Set<number>();
  for (const message of taken) {
    const index = messages.findIndex((other, at) => other === message && !head.has(at));
    head.add(index);
    reportLeftOut(message, index, report);
  }
  const prompts = [systemPrompt, prompt].filter((text) => text !== undefined && text !== "");
  return {
    ...(prompts.length === 0 ? {} : { systemPrompt: prompts.join("\n\n") }),
    messages: showRest(messages, head, report),
  };
}

/** What a model is shown after a compaction, of the messages up to it. */
export function historyAfter(compaction: CompactionMessage, before: readonly AgentMessage[]): ShownMessage[] {
  return showRest([...before, compaction], new Set(), () => undefined).map(({ message }) => message);
}

/**
 * For APIs without system messages within a conversation: they become user messages. The operator's text then has no more
 * authority than the user's, which each loss states.
 */
export function withoutSystemMessages(shown: readonly Shown[], report: ReportLoss): Shown<Message>[] {
  return shown.map(({ message, index }) => {
    if (message.role !== "system") return { message, index };
    report({
      at: `/messages/${index}`,
      what: "a system message mid-conversation",
      why: "the API has system text only in the prompt; it is sent as a user message, with a user's authority",
      severity: "approximated",
    });
    return { message: asUser(message.content, message.timestamp), index };
  });
}

/** Translates a pointer into what is shown to one into the conversation. */
export function placeInConversation(shown: readonly Shown[], at: string): string {
  return at.replace(/^\/messages\/(\d+)/, (place: string, index: string) => {
    const entry = shown[Number(index)];
    return entry === undefined ? place : `/messages/${entry.index}`;
  });
}

function reportLeftOut({ content }: SystemMessage, index: number, report: ReportLoss): void {
  if (typeof content === "string") return;
  for (const [block, { type }] of content.entries()) {
    if (type === "text") continue;
    report({
      at: `/messages/${index}/content/${block}`,
      what: `${type} content of a system prompt`,
      why: "a system prompt is text",
      severity: "dropped",
    });
  }
}

function showRest(messages: readonly AgentMessage[], head: ReadonlySet<number>, report: ReportLoss): Shown[] {
  const compacted = lastCompaction(messages);
  const carried = compacted === undefined ? undefined : carriedOver(compacted, messages);
  const shown: Shown[] = [];
  if (compacted !== undefined && carried?.summary !== undefined) {
    shown.push({ message: carried.summary, index: compacted.index });
  }
  const selection = new MessageSelection(report);
  const add = (message: AgentMessage, index: number) => {
    if (head.has(index)) return;
    const one = selection.show(message, index);
    if (one !== undefined) shown.push({ message: one, index });
  };
  for (const { message, index } of carried?.messages ?? []) add(message, index);
  for (let index = compacted?.firstKept ?? 0; index < messages.length; index++) {
    const message = messages[index];
    if (message !== undefined) add(message, index);
  }
  return shown;
}

class MessageSelection {
  readonly #report: ReportLoss;
  /** The calls of answers that are left out; their results are left out too. */
  readonly #leftOut = new Set<string>();

  constructor(report: ReportLoss) {
    this.#report = report;
  }

  show(message: AgentMessage, index: number): ShownMessage | undefined {
    switch (message.role) {
      case "user":
        return framed(message);
      case "assistant":
        return this.#showAnswer(message, index);
      case "toolResult":
        if (!this.#leftOut.has(message.toolCallId)) return message;
        this.#lose(index, `a result for "${message.toolCallId}"`, "the answer with its call is not sent");
        return undefined;
      case "system":
        return this.#showSystem(message, index);
      case "agentComplete":
        // The model has it already, as the result of the tool call that started the agent.
        if (message.ext?.["subAgent"] !== undefined) return undefined;
        this.#approximate(index, "the result of another agent");
        return quotedJson(
          "An agent has finished",
          { agent: message.agentId, result: message.result },
          message,
        );
      case "agentMessage":
        this.#approximate(index, "a message of another agent");
        return quotedJson("Another agent wrote", { agent: message.senderId, says: message.payload }, message);
      case "custom":
        if (message.content === undefined) return undefined;
        return asUser(addedContent(message.content, message.customType), message.timestamp);
      case "session":
      case "status":
      case "error":
      case "compaction":
        return undefined;
      default:
        this.#lose(
          index,
          `a message with the role ${JSON.stringify(roleOf(message))}`,
          "a model is shown no messages of a role that a program added",
        );
        return undefined;
    }
  }

  #showSystem(message: SystemMessage, index: number): SystemMessage | undefined {
    reportLeftOut(message, index, this.#report);
    const text = promptText(message);
    if (text === "") return undefined;
    return typeof message.content === "string" ? message : { ...message, content: text };
  }

  #showAnswer(message: AssistantMessage, index: number): AssistantMessage | undefined {
    const { stopReason, content } = message;
    const broken = isBroken(message);
    for (const block of content) {
      if (block.type !== "toolCall") continue;
      if (broken) this.#leftOut.add(block.id);
      else this.#leftOut.delete(block.id);
    }
    if (!broken) return message;
    if (content.length > 0) {
      this.#lose(
        index,
        `an answer that ended in "${stopReason}"`,
        "an incomplete answer is not sent back to a model",
      );
    }
    return undefined;
  }

  #lose(index: number, what: string, why: string): void {
    this.#report({ at: `/messages/${index}`, what, why, severity: "dropped" });
  }

  #approximate(index: number, what: string): void {
    const why = "it is sent as the text of a user";
    this.#report({ at: `/messages/${index}`, what, why, severity: "approximated" });
  }
}

/** Removes the framing data, so that a message is not framed twice. */
function framed(message: UserMessage): UserMessage {
  const { ext, ...shown } = frameInbound(message);
  if (shown.content === message.content || ext === undefined) return message;
  const { inbound: _, collected: __, ...rest } = ext;
  return Object.keys(rest).length === 0 ? shown : { ...shown, ext: rest };
}

/** Programs add roles that the types do not know. */
function roleOf(message: { role?: unknown }): unknown {
  return message.role;
}
