import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { guidePrograms } from "../support/cli/guide-programs.js";
import { requireBuild } from "../support/cli/run-cli.js";

beforeAll(requireBuild);

const guides = { agents: 3, tools: 2 };

describe.each(Object.entries(guides))("the guide to %s", (guide, count) => {
  const examples = guidePrograms(`docs/guide/${guide}.md`);

  test(`has ${count} programs`, () => {
    expect(examples).toHaveLength(count);
  });

  test.each(examples)("a program prints what the guide says: $printed", ({ program, printed }) => {
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })).toBe(
      printed,
    );
  });
});
