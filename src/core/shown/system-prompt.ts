import type { AgentMessage, SystemMessage } from "../types.js";

const BETWEEN = "\n\n";

export interface HeadPrompt {
  /** The text of the system messages at the head; undefined if there are none. */
  prompt: string | undefined;
  /** The messages that make up `prompt`. */
  taken: SystemMessage[];
  /** All other messages, in order. */
  rest: AgentMessage[];
}

/**
 * The system prompt at the head of a conversation: its system messages up to the first message that a model is shown.
 * Session headers, notes and status lines among them are skipped. A system message that `isPrompt` refuses ends the head.
 *
 * @example
 * headPrompt([session, { role: "system", content: "Be brief.", timestamp: 0 }, question]);
 * // { prompt: "Be brief.", taken: [the system message], rest: [session, question] }
 */
export function headPrompt(
  messages: readonly AgentMessage[],
  isPrompt: (message: SystemMessage, taken: readonly SystemMessage[]) => boolean = () => true,
): HeadPrompt {
  const taken: SystemMessage[] = [];
  const passed: AgentMessage[] = [];
  let index = 0;
  for (const message of messages) {
    if (message.role === "system" && isPrompt(message, taken)) taken.push(message);
    else if (isUnseen(message)) passed.push(message);
    else break;
    index++;
  }
  return {
    prompt: taken.length === 0 ? undefined : taken.map(promptText).join(BETWEEN),
    taken,
    rest: [...passed, ...messages.slice(index)],
  };
}

/** The text of a system message. Other blocks are left out, because a prompt is text. */
export function promptText({ content }: SystemMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(BETWEEN);
}

/** Whether a message is for people and programs only. */
export function isUnseen(message: AgentMessage): boolean {
  switch (message.role) {
    case "session":
    case "status":
    case "error":
      return true;
    case "custom":
      return message.content === undefined;
    default:
      return false;
  }
}
