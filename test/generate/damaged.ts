import fc from "fast-check";
import type { AgentMessage, ToolCall, ToolResultMessage } from "../../src/core/index.js";
import { conversation } from "./conversations.js";

type Lines = (AgentMessage | string)[];

/** Does one kind of damage to the lines; false when they have nothing to do it to. */
type Break = (lines: Lines, pick: (upTo: number) => number) => boolean;

const isResult = (line: AgentMessage | string | undefined): line is ToolResultMessage =>
  typeof line === "object" && line.role === "toolResult";

function callsIn(lines: Lines): ToolCall[] {
  return lines.flatMap((line) =>
    typeof line === "object" && line.role === "assistant"
      ? line.content.filter((block) => block.type === "toolCall")
      : [],
  );
}

/** The place of a result whose call is there. */
function someResult(lines: Lines, pick: (upTo: number) => number): number | undefined {
  const ids = new Set(callsIn(lines).map(({ id }) => id));
  const indexes = [...lines.keys()].filter((index) => {
    const line = lines[index];
    return isResult(line) && ids.has(line.toolCallId);
  });
  return indexes.length === 0 ? undefined : indexes[pick(indexes.length)];
}

function withResult(
  change: (lines: Lines, at: number, result: ToolResultMessage, pick: (upTo: number) => number) => void,
): Break {
  return (lines, pick) => {
    const at = someResult(lines, pick);
    const result = at === undefined ? undefined : lines[at];
    if (at === undefined || !isResult(result)) return false;
    change(lines, at, result, pick);
    return true;
  };
}

function withCall(
  change: (call: ToolCall, others: readonly ToolCall[], pick: (upTo: number) => number) => void,
): Break {
  return (lines, pick) => {
    const calls = callsIn(lines);
    const call = calls[calls.length === 0 ? 0 : pick(calls.length)];
    if (call === undefined) return false;
    change(call, calls, pick);
    return true;
  };
}

const breaks = {
  "lose a result": withResult((lines, at) => lines.splice(at, 1)),
  "repeat a result": withResult((lines, at, result) => lines.splice(at, 0, { ...result })),
  "answer twice": withResult((lines, at, result) =>
    lines.splice(at + 1, 0, { ...result, isError: !result.isError }),
  ),
  "delay a result": withResult((lines, at, result, pick) => {
    lines.splice(at, 1);
    lines.splice(at + pick(lines.length - at + 1), 0, result);
  }),
  "hurry a result": withResult((lines, at, result, pick) => {
    lines.splice(at, 1);
    lines.splice(pick(at + 1), 0, result);
  }),
  "forget whose result it is": withResult((lines, at, result) =>
    lines.splice(at, 1, { ...result, toolCallId: "" }),
  ),
  "answer nobody": withResult((lines, at, result) =>
    lines.splice(at, 1, { ...result, toolCallId: "nobody" }),
  ),
  "misname a result": withResult((lines, at, result) =>
    lines.splice(at, 1, { ...result, toolName: "other" }),
  ),
  "empty an id": withCall((call) => Object.assign(call, { id: "" })),
  "repeat an id": withCall((call, calls, pick) => Object.assign(call, { id: calls[pick(calls.length)]?.id })),
  "lengthen an id": withCall((call) => Object.assign(call, { id: `${call.id}.${"x".repeat(70)}` })),
  "lose a message": (lines, pick) => lines.length > 0 && lines.splice(pick(lines.length), 1).length > 0,
  "scribble on a line": (lines, pick) => {
    lines.splice(pick(lines.length + 1), 0, '{"role":"user","content":[');
    return true;
  },
  "write nonsense": (lines, pick) => {
    lines.splice(pick(lines.length + 1), 0, '{"role":"toolResult","toolCallId":7}');
    return true;
  },
} satisfies Record<string, Break>;

export const damages = Object.keys(breaks);

/** A log in which each message says that it follows the one before it, and which then lost a line. */
function chained(lines: Lines, lost: number): Lines {
  let last: string | null = null;
  return lines
    .map((line, index) => {
      if (typeof line === "string") return line;
      const linked: AgentMessage = { ...line, id: `m${index}`, parentId: last };
      last = `m${index}`;
      return linked;
    })
    .filter((_, index) => index !== lost);
}

/** The text of a conversation to which things happened, and which: some of `damages`, and `chain`. */
export const damaged: fc.Arbitrary<{ text: string; done: string[] }> = fc
  .tuple(
    conversation,
    fc.array(fc.constantFrom(...Object.entries(breaks)), { maxLength: 6 }),
    fc.infiniteStream(fc.nat()),
    fc.boolean(),
  )
  .map(([messages, wanted, numbers, isChain]) => {
    const lines: Lines = structuredClone(messages);
    const pick = (upTo: number) => numbers.next().value % upTo;
    const done = wanted.filter(([, happen]) => happen(lines, pick)).map(([name]) => name);
    const all = isChain ? chained(lines, pick(lines.length + 1)) : lines;
    const text = all.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
    return { text, done: isChain ? [...done, "chain"] : done };
  });
