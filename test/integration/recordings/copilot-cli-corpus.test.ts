import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const folder = corpus("agents/agent-sessions/copilot");

function filesIn(root: string): string[] {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.endsWith(".jsonl")).sort();
}

describe.skipIf(folder === undefined)("recorded sessions of GitHub Copilot CLI", () => {
  const files = folder === undefined ? [] : filesIn(folder);

  test("there are some", () => expect(files.length).toBe(2));

  test.each(files)("%s", async (file) => {
    const text = readFileSync(join(folder ?? "", file), "utf8");
    expect((await detect(text))[0]).toEqual({ dialect: "copilot-cli", confidence: 1 });

    const same = await convert(text, { from: "copilot-cli", to: "copilot-cli" });
    expect(jsonOf(same.output)).toEqual(jsonOf(text));
    expect(same.losses).toEqual([]);

    for (const escrow of [false, true]) {
      const there = await convert(text, { from: "copilot-cli", to: "openclaw", escrow });
      const back = await convert(there.output, { from: "openclaw", to: "copilot-cli", escrow });
      expect(jsonOf(back.output)).toEqual(jsonOf(text));
    }
  });
});
