import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const folder = corpus("agents/agent-sessions/cursor");

function filesIn(root: string): string[] {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.endsWith(".jsonl")).sort();
}

describe.skipIf(folder === undefined)("recorded transcripts of Cursor", () => {
  const files = folder === undefined ? [] : filesIn(folder);

  test("there are some", () => expect(files.length).toBe(3));

  test.each(files)("%s", async (file) => {
    const text = readFileSync(join(folder ?? "", file), "utf8");
    expect((await detect(text))[0]).toEqual({ dialect: "cursor", confidence: 0.95 });
    const same = await convert(text, { from: "cursor", to: "cursor" });
    expect(jsonOf(same.output)).toEqual(jsonOf(text));
    expect(same.losses).toEqual([]);
  });
});
