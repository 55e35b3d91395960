import { isDeepStrictEqual } from "node:util";
import type { AgentMessage, AssistantMessage } from "../../../src/core/types.js";
import type { Piece } from "./cases.js";

/** A piece as the program sent it. */
type Sent = Piece & { id?: string };

/** What of the expected pieces a request lacks, or has in another order. `whole` is the request's text. */
export function missingPieces(
  messages: readonly AgentMessage[],
  whole: string,
  { expected, absent = [] }: { expected: readonly Piece[]; absent?: readonly string[] },
): string[] {
  const sent = messages.flatMap(piecesOf);
  const problems = absent
    .filter((text) => whole.includes(text))
    .map((text) => `sent: ${JSON.stringify(text)}`);
  const calls: (string | undefined)[] = [];
  let results = 0;
  /** Where to search: results that follow each other are sent in any order. */
  let from: Spot = { index: 0, offset: 0 };
  let at = from;
  for (const [index, piece] of expected.entries()) {
    const isSibling = piece.type === "result" && expected[index - 1]?.type === "result";
    if (!isSibling) from = at;
    const found = find(piece, sent, from);
    const id = found === undefined ? undefined : sent[found.index]?.id;
    if (piece.type === "call") calls.push(id);
    if (found === undefined) problems.push(`missing: ${shown(piece)}`);
    at = later(at, found?.end);
    if (piece.type !== "result") continue;
    // The calls of a program's own session are not known.
    const isAnswer = calls.length === 0 || calls[results++] === id;
    if (found !== undefined && !isAnswer) problems.push(`${shown(piece)} answers another call`);
    if (piece.image !== undefined && !whole.includes(piece.image)) {
      problems.push(`the image of ${shown(piece)} is missing`);
    }
  }
  return problems;
}

/** A place in the sent pieces. Programs join messages, so that one text can contain several pieces. */
interface Spot {
  index: number;
  offset: number;
}

function later(a: Spot, b: Spot = a): Spot {
  return b.index > a.index || (b.index === a.index && b.offset > a.offset) ? b : a;
}

function find(
  piece: Piece,
  sent: readonly Sent[],
  { index: start, offset }: Spot,
): { index: number; end: Spot } | undefined {
  for (let index = start; index < sent.length; index++) {
    const one = sent[index];
    if (one === undefined || !canBe(piece, one)) continue;
    if (piece.type === "call" || one.type === "call") {
      if (isSameCall(piece, one)) return { index, end: { index: index + 1, offset: 0 } };
      continue;
    }
    const at = one.text.indexOf(piece.text, index === start ? offset : 0);
    if (at >= 0) return { index, end: { index, offset: at + piece.text.length } };
  }
  return undefined;
}

function canBe({ type }: Piece, { type: sent }: Sent): boolean {
  return type === sent || (type === "summary" && (sent === "user" || sent === "answer"));
}

function isSameCall(expected: Piece, sent: Piece): boolean {
  if (expected.type !== "call" || sent.type !== "call") return false;
  return sent.name === expected.name && isDeepStrictEqual(sent.arguments, expected.arguments);
}

function shown(piece: Piece): string {
  return JSON.stringify("image" in piece ? { ...piece, image: "…" } : piece);
}

function piecesOf(message: AgentMessage): Sent[] {
  switch (message.role) {
    case "user":
    case "system":
      return [{ type: "user", text: textOf(message.content) }];
    case "assistant":
      return message.content.flatMap(answerPiece);
    case "toolResult":
      return [{ type: "result", text: textOf(message.content), id: message.toolCallId }];
    default:
      return [];
  }
}

function answerPiece(block: AssistantMessage["content"][number]): Sent[] {
  if (block.type === "text") return [{ type: "answer", text: block.text }];
  if (block.type !== "toolCall") return [];
  return [{ type: "call", name: block.name, arguments: block.arguments, id: block.id }];
}

function textOf(content: string | readonly { type: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => ("text" in block ? String(block.text) : "")).join("\n");
}
