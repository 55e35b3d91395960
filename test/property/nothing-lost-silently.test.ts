import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import type { AgentMessage } from "../../src/core/index.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { bothWays } from "../conformance/dialect-laws.js";
import { asked } from "../fakes/asked-model.js";
import { models } from "../fakes/model-server.js";
import { anything } from "../generate/anything.js";
import { transcript } from "../generate/conversations.js";
import { holds, marked, names, silent } from "../generate/marked.js";
import { runs } from "../generate/runs.js";

const apis = Object.keys(models) as ApiName[];

async function sent(api: ApiName, messages: readonly AgentMessage[]) {
  const request = await asked(api, messages);
  if (request === undefined) throw new Error("nothing was sent");
  return request;
}

describe("what a model is sent and what the ledger names are all that a conversation says", () => {
  test.each(apis)("%s", async (api) => {
    const seen = { marks: 0, sent: 0, named: 0 };
    await fc.assert(
      fc.asyncProperty(anything, async (messages) => {
        const source = marked([...messages, { role: "user", content: "Go on.", timestamp: 1 }]);
        const { body, losses } = await sent(api, source.messages);
        expect(silent(source.marks, body, losses), JSON.stringify({ body, losses })).toEqual([]);
        seen.marks += source.marks.length;
        for (const { word } of source.marks) seen[holds(body, word) ? "sent" : "named"]++;
      }),
      { numRuns: runs(60) },
    );
    expect(seen.sent).toBeGreaterThan(seen.marks / 3);
    expect(seen.named).toBeGreaterThan(runs(10));
  });
});

/** Where a word is in a document: the pointers of all values that hold it. */
function placesOf(value: unknown, word: string, at = ""): string[] {
  if (typeof value === "string") return holds(value, word) ? [at] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, word, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

/** A file of a dialect as one value, as pointers of losses see it. */
function parsed(output: string): unknown {
  const lines = output.trim().split("\n");
  try {
    return JSON.parse(output);
  } catch {
    return lines.map((line) => JSON.parse(line));
  }
}

describe("a file of any dialect, read and sent to a model: the file's words are sent, or named on the way", () => {
  test.each(bothWays)("%s", async (dialect) => {
    const seen = { marks: 0, sent: 0 };
    await fc.assert(
      fc.asyncProperty(anything, fc.constantFrom(...apis), async (messages, api) => {
        const source = marked([...messages, { role: "user", content: "Go on.", timestamp: 1 }]);
        const file = await convert(transcript(source.messages), { from: "openclaw", to: dialect });
        const written = parsed(file.output);
        const imported = await convert(file.output, { from: dialect, to: "openclaw" });
        const context: AgentMessage[] = imported.output
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
        const { body, losses } = await sent(api, context);
        for (const { word } of source.marks) {
          const places = placesOf(written, word);
          if (places.length === 0) continue;
          seen.marks++;
          if (holds(body, word)) {
            seen.sent++;
            continue;
          }
          const isNamed =
            places.some((place) => imported.losses.some((loss) => names(loss, place))) ||
            placesOf({ messages: context }, word).some((place) => losses.some((loss) => names(loss, place)));
          expect({ word, isNamed }, JSON.stringify({ api, places, context, body, losses })).toEqual({
            word,
            isNamed: true,
          });
        }
      }),
      { numRuns: runs(30) },
    );
    expect(seen.sent).toBeGreaterThan(seen.marks / 3);
    expect(seen.marks).toBeGreaterThan(runs(50));
  });
});
