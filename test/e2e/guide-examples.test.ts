import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { requireBuild } from "./run-cli.js";

beforeAll(requireBuild);

/** The programs of a guide, each with the text that follows it, which is what it prints. */
function examplesOf(path: string): { program: string; printed: string }[] {
  const blocks = readFileSync(path, "utf8").matchAll(/```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g);
  return [...blocks].map(([, program = "", printed = ""]) => ({ program, printed }));
}

const guides = { agents: 3, tools: 2 };

describe.each(Object.entries(guides))("the guide to %s", (guide, count) => {
  const examples = examplesOf(`docs/guide/${guide}.md`);

  test(`has ${count} programs`, () => {
    expect(examples).toHaveLength(count);
  });

  test.each(examples)("a program prints what the guide says: $printed", ({ program, printed }) => {
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })).toBe(
      printed,
    );
  });
});
