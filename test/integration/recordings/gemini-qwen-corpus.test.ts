import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import type { Loss } from "../../../src/core/index.js";
import type { DialectName } from "../../../src/dialects/registry.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const isReal = ({ severity }: Loss) => severity !== "synthesised";

const folder = corpus("agents");
const read = (file: string) => readFileSync(join(folder ?? "", file), "utf8");

/** Not sessions: a recorded response, and a history without ids. */
const others = /agent-resume-session\.json$|gemini\/schema_drift\.json$/;
/** Two records on one line. */
const glued = "agent-sessions/qwen/019f0000-0000-7000-8000-000000000005.jsonl";

function filesIn(pattern: RegExp): string[] {
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => pattern.test(path) && !others.test(path) && path !== glued)
    .sort();
}

const geminiFiles = filesIn(/^(gemini-cli|agent-sessions\/gemini)\/.*\.jsonl?$/);
const qwenFiles = filesIn(/^agent-sessions\/qwen\/.*\.jsonl$|^qwen-code\/.*\/chat-records\.jsonl$/);

async function comesBack(text: string, name: DialectName): Promise<void> {
  expect((await detect(text))[0]?.dialect).toBe(name);
  const same = await convert(text, { from: name, to: name });
  expect(jsonOf(same.output)).toEqual(jsonOf(text));
  expect(same.losses).toEqual([]);
  for (const escrow of [false, true]) {
    const there = await convert(text, { from: name, to: "openclaw", escrow });
    expect(there.losses.filter(isReal)).toEqual([]);
    const back = await convert(there.output, { from: "openclaw", to: name, escrow });
    expect(jsonOf(back.output)).toEqual(jsonOf(text));
    expect(back.losses.filter(isReal)).toEqual([]);
  }
}

describe.skipIf(folder === undefined)("recorded sessions of Gemini CLI", () => {
  test("there are eight", () => expect(geminiFiles).toHaveLength(8));
  test.each(geminiFiles)("%s", (file) => comesBack(read(file), "gemini-cli"));
});

describe.skipIf(folder === undefined)("recorded sessions of Qwen Code", () => {
  test("there are six", () => expect(qwenFiles).toHaveLength(6));
  test.each(qwenFiles)("%s", (file) => comesBack(read(file), "qwen-code"));

  test("two records on one line are refused with their place", async () => {
    const failure = await convert(read(glued), { from: "qwen-code", to: "openclaw" }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "json/syntax", line: 1 });
  });
});
