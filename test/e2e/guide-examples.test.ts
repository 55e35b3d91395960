import { execFileSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { guidePrograms } from "./guide-programs.js";
import { requireBuild } from "./run-cli.js";

beforeAll(requireBuild);

const examples = guidePrograms("docs/guide/tools.md");

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
