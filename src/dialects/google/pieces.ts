import type { JsonObject } from "../../core/json/value.js";
import type { AssistantContent, TextContent, ThinkingContent } from "../../core/types.js";
import { addNotes, extWith, notesOf } from "./notes.js";
import { writePart } from "./parts.js";

type StreamedBlock = TextContent | ThinkingContent;

/** Adds the blocks of a further content of an answer. A text that goes on in it is one text; where it was cut is noted. */
export function addPiece(
  content: AssistantContent[],
  blocks: readonly AssistantContent[],
  isFirst: boolean,
): void {
  for (const [index, block] of blocks.entries()) {
    const last = content.at(-1);
    if (isFirst || index > 0) content.push(block);
    else if (last === undefined || !append(last, block)) {
      content.push({ ...block, ...extWith({ ...notesOf(block), opens: true }) });
    }
  }
}

/** Grows a block by the next one, if that is more of the same: not after a signature, and not what has notes. */
function append(last: AssistantContent, next: AssistantContent): boolean {
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

/** The list grows in place: an answer has as many pieces as it had deltas. */
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

/** The parts of an answer, in the contents they came in; all in one for an answer that did not come from a client. */
export function writeAnswer(content: readonly AssistantContent[], ids: boolean): JsonObject[][] {
  const contents: JsonObject[][] = [[]];
  for (const block of content) {
    if (notesOf(block)["opens"] === true && contents.at(-1)?.length !== 0) contents.push([]);
    for (const [index, piece] of cutUp(block).entries()) {
      const part = writePart(piece, ids);
      if (index > 0) contents.push([]);
      if (part !== undefined) contents.at(-1)?.push(part);
    }
  }
  return contents;
}

/** A text as it was cut, with its signature on the last piece; whole when somebody has changed it. */
function cutUp(block: AssistantContent): AssistantContent[] {
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
