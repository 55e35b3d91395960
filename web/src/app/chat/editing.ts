import type { ImageContent, UserContent, UserMessage } from "dragoman/core";
import { textOf } from "../state/plain-words.js";

/** A message to send again in another version, in a fork that starts before it. */
export interface Editing {
  message: UserMessage;
  position: number;
}

/** The composer's content. */
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
