import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { requireBuild } from "./run-cli.js";

beforeAll(requireBuild);

/** The programs of a guide, each with the text that follows it, which is what it prints. */
function examplesOf(path: string): { program: string; printed: string }[] {
  const blocks = readFileSync(path, "utf8").matchAll(/```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g);
  return [...blocks].map(([, program = "", printed = ""]) => ({ program, printed }));
}

const examples = examplesOf("docs/guide/tools.md");

test("the guide to tools has two programs", () => {
  expect(examples).toHaveLength(2);
});

test.each(examples)(
  "a program of the guide to tools prints what the guide says: $printed",
  ({ program, printed }) => {
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })).toBe(
      printed,
    );
  },
);
