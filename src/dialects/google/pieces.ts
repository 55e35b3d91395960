import type { JsonObject } from "../../core/json/value.js";
import type { AssistantContent, TextContent, ThinkingContent } from "../../core/types.js";
import { addNotes, extWith, notesOf } from "./notes.js";
import { writePart } from "./parts.js";

type StreamedBlock = TextContent | ThinkingContent;

/** Adds the blocks of an answer's next content. A text that continues in it stays one text; its pieces are noted. */
export function addPiece(
  content: AssistantContent[],
  blocks: readonly AssistantContent[],
  isFirst: boolean,
): void {
  for (const [index, block] of blocks.entries()) {
    const last = content.at(-1);
    if (isFirst || index > 0) content.push(block);
    else if (last === undefined || !appendBlock(last, block)) {
      content.push({ ...block, ...extWith({ ...notesOf(block), opens: true }) });
    }
  }
}

/** Appends a block to the last one if both are text or thinking, the last one is unsigned, and neither has notes. */
function appendBlock(last: AssistantContent, next: AssistantContent): boolean {
  const { pieces: _, opens: _opens, ...others } = notesOf(last);
  if (next.ext !== undefined || Object.keys(others).length > 0) return false;
  if (last.type === "text" && next.type === "text" && last.textSignature === undefined) {
    notePiece(last, last.text, next.text);
    Object.assign(last, next, { text: last.text + next.text });
    return true;
  }
  if (last.type !== "thinking" || next.type !== "thinking" || last.thinkingSignature !== undefined)
    return false;
  notePiece(last, last.thinking, next.thinking);
  Object.assign(last, next, { thinking: last.thinking + next.thinking });
  return true;
}

/** Appends in place, because an answer has as many pieces as deltas. */
function notePiece(block: StreamedBlock, before: string, more: string): void {
  const { pieces } = notesOf(block);
  if (Array.isArray(pieces)) pieces.push(more.length);
  else addNotes(block, { pieces: [before.length, more.length] });
}

function textOf(block: StreamedBlock): string {
  return block.type === "text" ? block.text : block.thinking;
}

function withText(block: StreamedBlock, text: string): StreamedBlock {
  return block.type === "text" ? { ...block, text } : { ...block, thinking: text };
}

/** An answer's parts, in the contents in which they were read; in one content if they were not read from a request. */
export function writeAnswer(content: readonly AssistantContent[], ids: boolean): JsonObject[][] {
  const contents: JsonObject[][] = [[]];
  for (const block of content) {
    if (notesOf(block)["opens"] === true && contents.at(-1)?.length !== 0) contents.push([]);
    for (const [index, piece] of splitBlock(block).entries()) {
      const part = writePart(piece, ids);
      if (index > 0) contents.push([]);
      if (part !== undefined) contents.at(-1)?.push(part);
    }
  }
  return contents;
}

/** A text in its original pieces, with the signature on the last one; one piece if its length has changed. */
function splitBlock(block: AssistantContent): AssistantContent[] {
  const pieces = piecesOf(block);
  if (pieces === undefined || (block.type !== "text" && block.type !== "thinking")) return [block];
  const text = textOf(block);
  if (pieces.reduce((sum, length) => sum + length, 0) !== text.length) return [block];
  let at = 0;
  return pieces.map((length, index) => {
    const piece = text.slice(at, at + length);
    at += length;
    if (index === pieces.length - 1) return withText(block, piece);
    return block.type === "text" ? { type: "text", text: piece } : { type: "thinking", thinking: piece };
  });
}

function piecesOf(block: AssistantContent): number[] | undefined {
  const { pieces } = notesOf(block);
  return Array.isArray(pieces) && pieces.every((piece) => typeof piece === "number") ? pieces : undefined;
}
