import fc from "fast-check";
import { expect, test } from "vitest";
import { check, type Provider, providers } from "../../src/convert/check.js";
import { repair } from "../../src/convert/repair.js";
import { conversation, transcript } from "../generate/conversations.js";
import { damaged, damages } from "../generate/damaged.js";
import { mutation } from "../generate/mutations.js";
import { runs } from "../generate/runs.js";

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
    [...damages, "chain", "nothing wrong", ...providers].map((name) => [name, 0]),
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
    { numRuns: runs(1000) },
  );
  for (const [name, times] of Object.entries(exercised)) expect(times, name).toBeGreaterThan(runs(40));
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
    expect(found[code] ?? 0, code).toBeGreaterThan(runs(5));
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
    { numRuns: runs(200) },
  );
  expect(sound).toBeGreaterThan(runs(100));
});

test("no message disappears: it is in the output, set aside, or in a change", async () => {
  let messages = 0;
  let away = 0;
  await fc.assert(
    fc.asyncProperty(damaged, provider, async ({ text }, wanted) => {
      const { output, changes, unplaced } = await repair(text, optionsFor(wanted));
      const lines = (of: string) => of.split("\n").filter((line) => line !== "").length;
      const added = changes.filter(({ code }) => code === "pairing/unanswered").length;
      const left = changes.filter(({ what }) => /^removed an (exact copy|empty)/.test(what)).length;
      expect(lines(output) - added + left + unplaced.length).toBe(lines(text));
      for (const { text: aside } of unplaced) expect(text).toContain(aside);
      messages += lines(text);
      away += left + unplaced.length;
    }),
    { numRuns: runs(300) },
  );
  expect(messages).toBeGreaterThan(runs(1000));
  expect(away).toBeGreaterThan(runs(200));
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
    { numRuns: runs(400) },
  );
  expect(kept).toBeGreaterThan(runs(120));
});
