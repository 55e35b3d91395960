import type { AgentMessage } from "../../core/types.js";
import type { Added } from "./file-tail.js";

/** A message that has not been shown, or the blocks that were added to one that has. */
export interface NewMessage {
  message: AgentMessage;
  isContinued: boolean;
}

/** How much of a message was shown, and what identifies it: an answer that grows may get another id. */
interface Shown {
  role: string;
  id: string | undefined;
  beginning: string;
  blocks: number;
}

const BEGINNING_LENGTH = 200;

/** Finds what has not been shown yet among messages that grow while they are written. */
export class NewMessages {
  /** Of the pending messages, in order. */
  #shown: Shown[] = [];

  accept({ final, pending }: Added): NewMessage[] {
    const all = [...final, ...pending];
    const found = all.flatMap((message, index) => newPart(message, this.#shown[index]));
    this.#shown = all.slice(final.length).map(shownOf);
    return found;
  }
}

function newPart(message: AgentMessage, shown: Shown | undefined): NewMessage[] {
  if (shown === undefined || !isSame(shownOf(message), shown)) return [{ message, isContinued: false }];
  if (message.role !== "assistant" || message.content.length <= shown.blocks) return [];
  return [{ message: { ...message, content: message.content.slice(shown.blocks) }, isContinued: true }];
}

function isSame(a: Shown, b: Shown): boolean {
  return a.role === b.role && ((a.id !== undefined && a.id === b.id) || a.beginning === b.beginning);
}

function shownOf(message: AgentMessage): Shown {
  const content = "content" in message ? message.content : undefined;
  const blocks = Array.isArray(content) ? content : [content];
  const beginning = JSON.stringify(blocks[0] ?? null).slice(0, BEGINNING_LENGTH);
  return { role: message.role, id: message.id, beginning, blocks: blocks.length };
}
