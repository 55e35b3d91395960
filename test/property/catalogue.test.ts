import { appendFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCatalogue } from "../../src/log/catalogue/catalogue.js";
import type { Catalogue } from "../../src/log/catalogue/types.js";
import { SessionFolder } from "../fakes/session-folder.js";
import { conversation } from "../generate/conversations.js";
import { runs } from "../generate/runs.js";

const meta = fc
  .record({ title: fc.constantFrom("", "one", "two"), archived: fc.boolean() })
  .map((data) => ({ role: "custom", customType: "dragoman/meta", data, timestamp: 1 }));

/** What may happen to the file of a session. */
const change = fc.oneof(
  { weight: 6, arbitrary: conversation.map((messages) => ({ kind: "append" as const, messages })) },
  { weight: 2, arbitrary: meta.map((note) => ({ kind: "append" as const, messages: [note] })) },
  { weight: 2, arbitrary: fc.constantFrom("{bad\n", "\n", '{"role":"user","con', "\ufeff{}\n").map(raw) },
  { weight: 1, arbitrary: fc.nat({ max: 99 }).map((percent) => ({ kind: "cut" as const, percent })) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
);
const step = fc.record({ id: fc.constantFrom("A", "B", "C"), change });
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });

function raw(text: string) {
  return { kind: "raw" as const, text };
}

function apply(folder: SessionFolder, { id, change }: typeof step extends fc.Arbitrary<infer T> ? T : never) {
  const path = folder.path(id);
  if (change.kind === "append") folder.append(id, change.messages);
  else if (change.kind === "raw") appendFileSync(path, change.text);
  else if (change.kind === "delete") rmSync(path, { force: true });
  else {
    folder.append(id, []);
    truncateSync(path, Math.floor((statSync(path).size * change.percent) / 100));
  }
}

const WORDS = ["lorem", "ipsum", "dolor sit", "a -lorem", "漢", "é"];

async function everything(catalogue: Catalogue) {
  const sessions = await catalogue.list();
  const found = [];
  for (const word of WORDS) {
    const { hits } = await catalogue.search(word, { limit: 10_000 });
    found.push(hits.map((hit) => JSON.stringify(hit)).sort());
  }
  return { sessions: sessions.toSorted((a, b) => (a.id < b.id ? -1 : 1)), found };
}

test("an index that was kept up to date is one that was built from nothing", async () => {
  let grown = 0;
  let hit = 0;
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const folder = new SessionFolder();
      try {
        folder.append("D", [{ role: "user", content: "lorem stays", timestamp: 1 }]);
        const kept = openCatalogue(folder.options());
        for (const steps of all) {
          for (const one of steps) apply(folder, one);
          const { changed } = await kept.update();
          if (changed > 0) grown += 1;
        }
        const rebuilt = openCatalogue({ ...folder.options(), home: join(folder.home, "other") });
        const expected = await everything(rebuilt);
        expect(await everything(kept)).toEqual(expected);
        if (expected.found.flat().length > 1) hit += 1;
      } finally {
        folder.remove();
      }
    }),
    // A counterexample is made smaller for as long as the test may take: one that nobody sees helps nobody.
    { numRuns: runs(40), interruptAfterTimeLimit: 40_000 },
  );
  expect(grown).toBeGreaterThan(runs(60));
  expect(hit).toBeGreaterThan(runs(20));
});
