import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import type { Loss } from "../../../src/core/index.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const isReal = ({ severity }: Loss) => severity !== "synthesised";

const folder = corpus("agents/atif");

describe.skipIf(folder === undefined)("recorded ATIF trajectories", () => {
  const all = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = all.filter((path) => path.endsWith(".json")).sort();
  const read = (file: string) => readFileSync(join(folder ?? "", file), "utf8");

  test("there are some", () => expect(files.length).toBeGreaterThanOrEqual(5));

  test.each(files)("%s", async (file) => {
    const text = read(file);
    expect(await detect(text)).toEqual([{ dialect: "atif", confidence: 1 }]);

    const same = await convert(text, { from: "atif", to: "atif" });
    expect(jsonOf(same.output)).toEqual(jsonOf(text));
    expect(same.losses).toEqual([]);

    for (const escrow of [false, true]) {
      const there = await convert(text, { from: "atif", to: "openclaw", escrow });
      expect(there.losses.filter(isReal)).toEqual([]);
      const back = await convert(there.output, { from: "openclaw", to: "atif", escrow });
      expect(jsonOf(back.output)).toEqual(jsonOf(text));
      expect(back.losses.filter(isReal)).toEqual([]);
    }
  });
});
