import type { AgentMessage } from "../../core/types.js";
import type { Added } from "./file-tail.js";

/** A message that has not been shown, or the blocks that were added to one that has. */
export interface NewMessage {
  message: AgentMessage;
  isContinued: boolean;
}

/** How much of a message was shown, and what identifies it. */
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
    const all = [...final, ...pending].map((message) => ({ message, shown: shownOf(message) }));
    const byId = new Map(this.#shown.map((shown) => [`${shown.role} ${shown.id}`, shown]));
    const found = all.flatMap(({ message, shown }, index) => {
      const inPlace = this.#shown[index];
      if (inPlace !== undefined && isSame(shown, inPlace)) return newPart(message, inPlace);
      // A result moves if the result of an earlier call comes later.
      return newPart(message, shown.id === undefined ? undefined : byId.get(`${shown.role} ${shown.id}`));
    });
    this.#shown = all.slice(final.length).map(({ shown }) => shown);
    return found;
  }
}

function newPart(message: AgentMessage, shown: Shown | undefined): NewMessage[] {
  if (shown === undefined) return [{ message, isContinued: false }];
  if (message.role !== "assistant" || message.content.length <= shown.blocks) return [];
  return [{ message: { ...message, content: message.content.slice(shown.blocks) }, isContinued: true }];
}

/** An answer that grows may get another id; a result belongs to its call. */
function isSame(a: Shown, b: Shown): boolean {
  if (a.role !== b.role) return false;
  return (a.id !== undefined && a.id === b.id) || (a.role !== "toolResult" && a.beginning === b.beginning);
}

function shownOf(message: AgentMessage): Shown {
  const content = "content" in message ? message.content : undefined;
  const blocks = Array.isArray(content) ? content : [content];
  const beginning = JSON.stringify(blocks[0] ?? null).slice(0, BEGINNING_LENGTH);
  const id = message.role === "toolResult" ? message.toolCallId : message.id;
  return { role: message.role, id, beginning, blocks: blocks.length };
}
