import type { ImageContent, UserContent, UserMessage } from "dragoman/core";
import { textOf } from "../state/plain-words.js";

/** A message that is said differently: everything after it will be in another session. */
export interface Editing {
  message: UserMessage;
  position: number;
}

/** What is in the composer. */
export interface Draft {
  text: string;
  attachments: readonly ImageContent[];
}

export function draftOf({ message: { content } }: Editing): Draft {
  return { text: textOf(content), attachments: imagesOf(content) };
}

export function imagesOf(content: string | readonly UserContent[]): ImageContent[] {
  return typeof content === "string" ? [] : content.filter((block) => block.type === "image");
}
