import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import { recordReader } from "../../../src/convert/read.js";
import { cut } from "../../../src/convert/units.js";
import { cline } from "../../../src/dialects/cline/index.js";
import { jsonOf } from "../../conformance/dialect-laws.js";

const corpus = process.env["DRAGOMAN_CORPUS"];

describe.skipIf(corpus === undefined)(
  "Cline's own example file (skipped: set DRAGOMAN_CORPUS to the corpus folder)",
  () => {
    const path = join(corpus ?? "", "sessions", "cline", "success.messages.json");
    const text = corpus === undefined ? "" : readFileSync(path, "utf8");

    test("is recognised", async () => {
      const [first] = await detect(text);
      expect(first).toEqual({ dialect: "cline", confidence: 0.98 });
    });

    test("comes back as it was", async () => {
      const { output, losses } = await convert(text, { from: "cline", to: "cline" });
      expect(jsonOf(output)).toEqual(jsonOf(text));
      expect(losses).toEqual([]);
    });

    test("follows the contract", () => {
      const reader = recordReader(cline.framing);
      reader.push(new TextEncoder().encode(text));
      const records = Array.from(reader.finish(), ({ value }) => value);
      expect(records).toHaveLength(5);
      expect(cut(records, cline.joins).flatMap((unit) => cline.check?.(unit) ?? [])).toEqual([]);
    });
  },
);
