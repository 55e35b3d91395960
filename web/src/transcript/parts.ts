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
import { texts } from "../text/texts.js";
import { type Piece, piecesOf } from "./markdown/split-markdown.js";

/** The content of one row. */
export type Part =
  /** Markdown; `breaks` keeps single line breaks. */
  | { type: "piece"; piece: Piece; breaks: boolean }
  | { type: "thinking"; text: string; redacted: boolean }
  | ToolPart
  | { type: "media"; block: ImageContent | AudioContent | FileContent }
  /** Data that only its dialect or program understands. */
  | { type: "json"; title: string; value: unknown }
  | NotePart
  | UsagePart;

export interface UsagePart {
  type: "usage";
  usage: Usage;
  model: string;
  /** Which models failed before this one. */
  fallback?: string;
  priceUnknown: boolean;
  stopped?: "length" | "aborted";
}

export interface ToolPart {
  type: "tool";
  call: ToolCall;
  /** Undefined while the call has none. */
  result: ToolResultMessage | undefined;
  /** Duration from the transcript's timestamps, in milliseconds; undefined if they do not tell. */
  recordedMs: number | undefined;
}

/** A line between messages; `text` is shown when it is expanded. */
export interface NotePart {
  type: "note";
  tone: "quiet" | "status" | "error";
  title: string;
  text?: string;
}

/** The parts of any block except a tool call, which needs its result. */
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
      return [{ type: "json", title: texts.transcript.blockOf(block.dialect), value: block.value }];
    default: {
      // The file was not validated, so any block can occur.
      const unknown: never = block;
      return [{ type: "json", title: texts.transcript.unknownBlock, value: unknown }];
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
