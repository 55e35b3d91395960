import fc from "fast-check";
import { expect, test } from "vitest";
import { check, type Provider, providers } from "../../src/convert/check.js";
import { repair } from "../../src/convert/repair.js";
import type { AgentMessage, ToolCall, ToolResultMessage } from "../../src/core/index.js";
import { conversation, transcript } from "../generate/conversations.js";
import { mutation } from "../generate/mutations.js";

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

const names = Object.keys(breaks) as (keyof typeof breaks)[];

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

const damaged = fc
  .tuple(
    conversation,
    fc.array(fc.constantFrom(...names), { maxLength: 6 }),
    fc.infiniteStream(fc.nat()),
    fc.boolean(),
  )
  .map(([messages, wanted, numbers, isChain]) => {
    const lines: Lines = structuredClone(messages);
    const pick = (upTo: number) => numbers.next().value % upTo;
    const done: string[] = wanted.filter((name) => breaks[name](lines, pick));
    const all = isChain ? chained(lines, pick(lines.length + 1)) : lines;
    const text = all.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
    return { text, done: isChain ? [...done, "chain"] : done };
  });

const provider: fc.Arbitrary<Provider | undefined> = fc.constantFrom(undefined, ...providers);
const optionsFor = (wanted: Provider | undefined) => ({
  from: "openclaw" as const,
  ...(wanted === undefined ? {} : { for: wanted }),
});

/** The errors that repair promises to remove. */
const handled =
  /^(json|model|framing|pairing)\/|\/(tool-id|blank-text|empty-message|lone-surrogate)$|^content\/mime-mismatch$|^tree\/missing-parent$/;

async function handledErrors(text: string, wanted: Provider | undefined): Promise<string[]> {
  const { problems } = await check(text, optionsFor(wanted));
  return problems
    .filter(({ code, severity }) => severity === "error" && handled.test(code))
    .map(({ code }) => code);
}

test("what is repaired has none of the errors that repair removes, and repairing it again changes nothing", async () => {
  const exercised = Object.fromEntries(
    [...names, "chain", "nothing wrong", ...providers].map((name) => [name, 0]),
  );
  const found: Record<string, number> = {};
  const count = (name: string) => {
    exercised[name] = (exercised[name] ?? 0) + 1;
  };
  await fc.assert(
    fc.asyncProperty(damaged, provider, async ({ text, done }, wanted) => {
      const before = await handledErrors(text, wanted);
      for (const code of new Set(before)) found[code] = (found[code] ?? 0) + 1;
      const { output, unplaced, notes } = await repair(text, optionsFor(wanted));
      expect(await handledErrors(output, wanted)).toEqual([]);
      expect(notes).toEqual([]);
      const again = await repair(output, optionsFor(wanted));
      expect(again).toEqual({ output, from: "openclaw", changes: [], unplaced: [], notes: [] });
      for (const name of new Set(done)) count(name);
      if (wanted !== undefined) count(wanted);
      if (before.length === 0 && unplaced.length === 0) count("nothing wrong");
    }),
    { numRuns: 1000 },
  );
  for (const [name, times] of Object.entries(exercised)) expect(times, name).toBeGreaterThan(40);
  for (const code of [
    "json/syntax",
    "model/invalid",
    "pairing/unanswered",
    "pairing/orphan-result",
    "pairing/early-result",
    "pairing/late-result",
    "pairing/duplicate-result",
    "pairing/duplicate-id",
    "pairing/empty-id",
    "tree/missing-parent",
    "anthropic/tool-id",
    "anthropic/blank-text",
  ]) {
    expect(found[code] ?? 0, code).toBeGreaterThan(5);
  }
});

test("a transcript without problems that repair removes comes back byte for byte", async () => {
  let sound = 0;
  await fc.assert(
    fc.asyncProperty(conversation, provider, async (messages, wanted) => {
      const repaired = await repair(transcript(messages), optionsFor(wanted));
      // The output of a repair is sound, so there is no need to look for sound ones.
      const { output, changes } = await repair(repaired.output, optionsFor(wanted));
      expect(output).toBe(repaired.output);
      expect(changes).toEqual([]);
      if (output !== "") sound++;
    }),
    { numRuns: 200 },
  );
  expect(sound).toBeGreaterThan(100);
});

test("no message disappears: it is in the output, set aside, or in a change", async () => {
  let messages = 0;
  let away = 0;
  await fc.assert(
    fc.asyncProperty(damaged, provider, async ({ text }, wanted) => {
      const { output, changes, unplaced } = await repair(text, optionsFor(wanted));
      const lines = (of: string) => of.split("\n").filter((line) => line !== "").length;
      const added = changes.filter(({ code }) => code === "pairing/unanswered").length;
      const left = changes.filter(({ what }) => /^left out (a copy|an empty)/.test(what)).length;
      expect(lines(output) - added + left + unplaced.length).toBe(lines(text));
      for (const { text: aside } of unplaced) expect(text).toContain(aside);
      messages += lines(text);
      away += left + unplaced.length;
    }),
    { numRuns: 300 },
  );
  expect(messages).toBeGreaterThan(1000);
  expect(away).toBeGreaterThan(200);
});

test("bytes with accidents are checked and repaired without another exception", async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(conversation, mutation, provider, async (messages, mutate, wanted) => {
      const bytes = mutate(new TextEncoder().encode(transcript(messages)));
      await check(bytes, optionsFor(wanted));
      const { output } = await repair(bytes, optionsFor(wanted));
      expect(await handledErrors(output, wanted)).toEqual([]);
      if (output !== "") kept++;
    }),
    { numRuns: 400 },
  );
  expect(kept).toBeGreaterThan(120);
});
