import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { ThinkingContent } from "../../core/types.js";
import { is } from "../../core/validate.js";

const BETWEEN = "\n\n";

export interface WrittenReasoning {
  reasoning: string;
  /** See `Marks`. */
  marks?: JsonRecord[];
}

/**
 * One turn's thinking as one text. The marks have each block's length and other fields:
 *
 *     "Hm.\n\nAh." + [{ length: 3, thinkingSignature: "c2ln" }, { length: 3 }]
 */
export function writeReasoning(blocks: readonly ThinkingContent[]): WrittenReasoning {
  const reasoning = blocks.map(({ thinking }) => thinking).join(BETWEEN);
  const marks = blocks.map(({ type: _, thinking, ...rest }) =>
    blocks.length > 1 ? { length: thinking.length, ...rest } : rest,
  );
  const isPlain = marks.length === 1 && marks.every((mark) => Object.keys(mark).length === 0);
  return isPlain ? { reasoning } : { reasoning, marks };
}

/** A turn's thinking blocks, with its marks applied if they fit. */
export function readReasoning(reasoning: unknown, marks: unknown): ThinkingContent[] {
  if (typeof reasoning !== "string") return [];
  const blocks = Array.isArray(marks) ? cut(reasoning, marks) : undefined;
  return blocks ?? [{ type: "thinking", thinking: reasoning }];
}

function cut(reasoning: string, marks: readonly unknown[]): ThinkingContent[] | undefined {
  const blocks: ThinkingContent[] = [];
  let start = 0;
  for (const mark of marks) {
    if (!isObject(mark)) return undefined;
    const { length = reasoning.length, ...rest } = mark;
    if (typeof length !== "number") return undefined;
    const block = { type: "thinking", thinking: reasoning.slice(start, start + length), ...rest };
    if (!is("ThinkingContent", block)) return undefined;
    blocks.push(block);
    start += length + BETWEEN.length;
  }
  return blocks;
}
