import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import type { Loss } from "../../../src/core/index.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const isReal = ({ severity }: Loss) => severity !== "synthesised";

const folder = corpus("sessions/pi");

describe.skipIf(folder === undefined)("a real session of pi", () => {
  const text = folder === undefined ? "" : readFileSync(join(folder, "large-session.jsonl"), "utf8");

  test("is recognised", async () => {
    expect(await detect(text)).toEqual([{ dialect: "pi", confidence: 1 }]);
  });

  test("comes back as it was", async () => {
    const { output, losses } = await convert(text, { from: "pi", to: "pi" });
    expect(jsonOf(output)).toEqual(jsonOf(text));
    expect(losses).toEqual([]);
  });

  test.each([false, true])("comes back from openclaw as it was; escrow: %s", async (escrow) => {
    const there = await convert(text, { from: "pi", to: "openclaw", escrow });
    expect(there.losses.filter(isReal)).toEqual([]);
    expect(there.output.match(/\n/g)?.length).toBe(1019);
    const back = await convert(there.output, { from: "openclaw", to: "pi", escrow });
    expect(jsonOf(back.output)).toEqual(jsonOf(text));
    expect(back.losses.filter(isReal)).toEqual([]);
  });

  test("what it does not say is listed, and is only the total of its usages", async () => {
    const { losses } = await convert(text, { from: "pi", to: "openclaw" });
    expect(new Set(losses.map(({ what }) => what))).toEqual(new Set(["usage.totalTokens"]));
    expect(losses.length).toBe(453);
  });
});
