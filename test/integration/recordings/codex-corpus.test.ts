import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import type { Loss } from "../../../src/core/index.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const isReal = ({ severity }: Loss) => severity !== "synthesised";

const folder = corpus("agents");

function filesIn(root: string): string[] {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.includes("codex") && path.endsWith(".jsonl")).sort();
}

describe.skipIf(folder === undefined)("recorded sessions of Codex", () => {
  const files = folder === undefined ? [] : filesIn(folder);
  const read = (file: string) => readFileSync(join(folder ?? "", file), "utf8");

  test("there are many", () => expect(files.length).toBeGreaterThanOrEqual(18));

  test.each(files)("%s", async (file) => {
    const text = read(file);
    // That file is a mixture of formats, made to test tolerance.
    const found = file.endsWith("schema_drift.jsonl") ? [] : [{ dialect: "codex", confidence: 1 }];
    expect(await detect(text)).toEqual(found);

    const same = await convert(text, { from: "codex", to: "codex" });
    expect(jsonOf(same.output)).toEqual(jsonOf(text));
    expect(same.losses).toEqual([]);

    for (const escrow of [false, true]) {
      const there = await convert(text, { from: "codex", to: "openclaw", escrow });
      expect(there.losses.filter(isReal)).toEqual([]);
      const back = await convert(there.output, { from: "openclaw", to: "codex", escrow });
      expect(jsonOf(back.output)).toEqual(jsonOf(text));
      expect(back.losses.filter(isReal)).toEqual([]);
    }
  });

  test("each call of a long session has its result, and its answers are whole", async () => {
    const [file = ""] = files.filter((path) => path.includes("rollout-2026-05-11"));
    const { output } = await convert(read(file), { from: "codex", to: "openclaw" });
    const messages = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const calls = messages.flatMap(({ role, content }) =>
      role === "assistant" ? content.filter(({ type }: { type: string }) => type === "toolCall") : [],
    );
    const results = messages.filter(({ role }) => role === "toolResult");
    expect(calls).toHaveLength(38);
    expect(results).toHaveLength(38);
    expect(results.filter(({ toolName }) => toolName === "")).toEqual([]);
  });
});
