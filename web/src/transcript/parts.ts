import type {
  AssistantContent,
  AudioContent,
  FileContent,
  ImageContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserContent,
} from "dragoman/core";
import { type Piece, piecesOf } from "./markdown/split-markdown.js";

/** What one row of a transcript shows. */
export type Part =
  /** Markdown; the user's own line breaks count. */
  | { type: "piece"; piece: Piece; breaks: boolean }
  | { type: "thinking"; text: string; redacted: boolean }
  | ToolPart
  | { type: "media"; block: ImageContent | AudioContent | FileContent }
  /** Something only its dialect or its program understands, as it is. */
  | { type: "json"; title: string; value: unknown }
  | NotePart
  | { type: "usage"; usage: Usage; model: string; priceUnknown: boolean; stopped?: "length" | "aborted" };

export interface ToolPart {
  type: "tool";
  call: ToolCall;
  /** Undefined while there is none. */
  result: ToolResultMessage | undefined;
  /** How long it took by the times in the transcript, in milliseconds; undefined where these say nothing. */
  recordedMs: number | undefined;
}

/** A line between the messages, with more to unfold where there is `text`. */
export interface NotePart {
  type: "note";
  tone: "quiet" | "status" | "error";
  title: string;
  text?: string;
  /** Trying again can help. */
  recoverable?: boolean;
}

/** What is shown of a block that stands by itself: all but calls, which need their results. */
export function partsOfBlock(
  block: UserContent | Exclude<AssistantContent, ToolCall>,
  breaks: boolean,
): Part[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : textParts(block.text, breaks);
    case "thinking": {
      const { thinking: text, redacted = false } = block;
      return text.trim() === "" && !redacted ? [] : [{ type: "thinking", text, redacted }];
    }
    case "image":
    case "audio":
    case "file":
      return [{ type: "media", block }];
    case "opaque":
      return [{ type: "json", title: `${block.dialect} block`, value: block.value }];
    default: {
      // A block of a file that was not checked: shown as it is.
      const unknown: never = block;
      return [{ type: "json", title: "unknown block", value: unknown }];
    }
  }
}

export function textParts(text: string, breaks: boolean): Part[] {
  return piecesOf(text).map((piece) => ({ type: "piece", piece, breaks }));
}

export function contentParts(content: string | readonly UserContent[], breaks: boolean): Part[] {
  if (typeof content === "string") return content.trim() === "" ? [] : textParts(content, breaks);
  return content.flatMap((block) => partsOfBlock(block, breaks));
}
