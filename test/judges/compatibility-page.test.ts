import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsText } from "./compatibility-page.js";
import { programs } from "./programs/registry.js";

const page = readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8");

test.each(programs.map((program) => [program.title, program] as const))(
  "the page has the version and the settings that judge %s",
  (title, program) => {
    expect(page).toContain(`| ${title} | ${program.version} |`);
    expect(page).toContain(settingsText(program));
  },
);
