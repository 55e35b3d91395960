import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check } from "../../../src/convert/check.js";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import type { Loss } from "../../../src/core/index.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const isReal = ({ severity }: Loss) => severity !== "synthesised";

const folder = corpus("agents");

function filesIn(root: string): string[] {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.includes("claude") && path.endsWith(".jsonl")).sort();
}

describe.skipIf(folder === undefined)("recorded sessions of Claude Code", () => {
  const files = folder === undefined ? [] : filesIn(folder);
  const read = (file: string) => readFileSync(join(folder ?? "", file), "utf8");

  test("there are many", () => expect(files.length).toBeGreaterThan(40));

  test.each(files)("%s", async (file) => {
    const text = read(file);
    expect(await detect(text)).toEqual([{ dialect: "claude-code", confidence: 1 }]);

    const same = await convert(text, { from: "claude-code", to: "claude-code" });
    expect(jsonOf(same.output)).toEqual(jsonOf(text));
    expect(same.losses).toEqual([]);

    for (const escrow of [false, true]) {
      const there = await convert(text, { from: "claude-code", to: "openclaw", escrow });
      expect(there.losses.filter(isReal)).toEqual([]);
      const back = await convert(there.output, { from: "openclaw", to: "claude-code", escrow });
      expect(jsonOf(back.output)).toEqual(jsonOf(text));
      expect(back.losses.filter(isReal)).toEqual([]);
    }
  });

  test("a long session is one conversation, with a result for each call", async () => {
    const text = read("claude-code/codemie/session-3fe1b6bc.jsonl");
    const { problems } = await check(text);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    const { losses } = await convert(text, { to: "clawtools" });
    expect(losses.filter(({ why }) => why === "it is on another branch")).toEqual([]);
  });

  test("the work of sub-agents in the same file is not part of the conversation", async () => {
    const text = read("claude-code/viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl");
    const lines = text.split("\n").filter((line) => line !== "");
    const side = lines.flatMap((line, index) => (JSON.parse(line).isSidechain ? [`/${index}`] : []));
    const { losses } = await convert(text, { to: "clawtools" });
    const off = new Set(losses.filter(({ why }) => why === "it is on another branch").map(({ at }) => at));
    // An answer of several lines is named by its first one.
    expect(side.filter((at) => off.has(at)).length).toBe(20);
    expect(off.size).toBe(20);
  });
});
