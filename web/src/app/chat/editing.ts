import type { UserContent, UserMessage } from "dragoman/core";
import { textOf } from "../state/plain-words.js";
import type { Attachment } from "./attachments.js";

/** A message to send again in another version, in a fork that starts before it. */
export interface Editing {
  message: UserMessage;
  position: number;
}

/** The composer's content. */
export interface Draft {
  text: string;
  attachments: readonly Attachment[];
}

export function draftOf({ message: { content } }: Editing): Draft {
  return { text: textOf(content), attachments: attachmentsOf(content) };
}

export function attachmentsOf(content: string | readonly UserContent[]): Attachment[] {
  if (typeof content === "string") return [];
  return content.flatMap((block) => (block.type === "text" || block.type === "opaque" ? [] : [block]));
}
