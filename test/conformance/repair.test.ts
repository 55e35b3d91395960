import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../src/convert/check.js";
import { convert } from "../../src/convert/convert.js";
import { dialects } from "../../src/convert/dialects.js";
import { repair } from "../../src/convert/repair.js";
import { type DialectName, registry } from "../../src/dialects/registry.js";
import { damaged } from "../generate/damaged.js";
import { isSoak } from "../generate/runs.js";
import { bothWays, jsonOf } from "./dialect-laws.js";

const only = process.env["DIALECT"];
const numRuns = isSoak ? 150 : 15;
// A request of a provider has no place for times and such, so that its repair says what it lost.
const transcripts = (await dialects())
  .filter(({ kind, reads }) => kind === "transcript" && reads)
  .map(({ name }) => name);
const names = (Object.keys(registry) as DialectName[]).filter(
  (name) => transcripts.includes(name) && (only === undefined || only === name),
);

/** What a repair may lose, because its fix replaces it. */
const replaced = [
  // Where ids give the order, the messages after an added one may need others.
  / represent (id|parentId)$/,
  // A result that moves to its call leaves the record that it shared with others.
  / represent ext\.(cline|ai-sdk|otel|open-webui)$/,
  // A file without messages has no line.
  / represent the session message$/,
  // A call that gets a result leaves its open state.
  / represent (content\.\d+\.)?ext\.ai-sdk-ui(\.fields)?$/,
  / represent content\.\d+\.ext\.opencode\.open$/,
  / represent content\.\d+\.ext(\.gemini-cli\.record(\.fields)?)?$/,
  / represent content\.\d+\.argumentsError$/,
  // An answer that follows an added result is a step of the answer before it.
  /^Open WebUI chat export could not represent (timestamp|model)$/,
];

/** Repairs, and holds the result to the laws; says whether anything was changed. */
async function repairedWell(input: string, from: DialectName): Promise<boolean> {
  const { output, changes, unplaced, notes } = await repair(input, { from });
  const lost = notes.filter(
    ({ code, message }) => code === "repair/lost" && !replaced.some((pattern) => pattern.test(message)),
  );
  // A dialect that is only read may be unable to represent an added result, and repair states so.
  const isAdded = (message: string) =>
    !bothWays.includes(from) && message.endsWith("the added toolResult message");
  expect(lost.filter(({ message }) => !isAdded(message))).toEqual([]);
  if (changes.length === 0 && unplaced.length === 0) expect(output).toBe(input);
  if (!notes.some(({ code }) => code === "repair/branches")) {
    const { problems } = await check(output, { from });
    const left = problems
      .filter(({ code, severity }) => severity === "error" && code.startsWith("pairing/"))
      // A dialect that is only read may be unable to represent an added result.
      .filter(({ code }) => code !== "pairing/unanswered" || bothWays.includes(from));
    expect(left, output).toEqual([]);
  }
  const again = await repair(output, { from });
  expect(again.changes).toEqual([]);
  expect(again.unplaced).toEqual([]);
  expect(jsonOf(again.output)).toEqual(jsonOf(output));
  return output !== input;
}

describe.each(names)("%s", (name) => {
  const folder = new URL(`../../conformance/${name}/`, import.meta.url);
  const fixtures = readdirSync(folder).filter((file) => /\.jsonl?$/.test(file));

  test.each(fixtures)("%s is checked with places, and repaired", async (file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const { problems } = await check(text, { from: name, for: "anthropic" });
    for (const { line, column, code } of problems) {
      expect(code).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/);
      expect(Number.isInteger(line) && Number.isInteger(column), code).toBe(true);
    }
    await repairedWell(text, name);
  });

  // A dialect that is only read has no generated conversations.
  test.runIf(bothWays.includes(name))("damaged conversations are repaired", async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(damaged, async ({ text }) => {
        const { output: readable } = await repairedLines(text);
        const { output } = await convert(readable, { from: "openclaw", to: name });
        if (await repairedWell(output, name)) changed++;
      }),
      { numRuns },
    );
    expect(changed).toBeGreaterThan(numRuns / 3);
  });
});

/** Only the lines that can be read. */
async function repairedLines(text: string): Promise<{ output: string }> {
  const { problems } = await check(text, { from: "openclaw" });
  const bad = new Set(
    problems.flatMap(({ code, line }) =>
      /^(json\/syntax|model)/.test(code) && line !== undefined ? [line] : [],
    ),
  );
  return {
    output: text
      .split("\n")
      .filter((_, index) => !bad.has(index + 1))
      .join("\n"),
  };
}
