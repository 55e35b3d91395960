import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changesIn, type PageTable, settingsText } from "./compatibility-page.js";
import { programs } from "./programs/registry.js";

const page = readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8");

test.each(programs.map((program) => [program.title, program] as const))(
  "the page has the version and the settings that judge %s",
  (title, program) => {
    expect(page).toContain(`| ${title} | ${program.version} |`);
    expect(page).toContain(settingsText(program));
  },
);

const table: PageTable = {
  name: "session results",
  head: ["program", "version", "direction", "cases", "result"],
  key: [0, 2, 3],
  rows: [
    ["pi", "2.0", "reads", "text", "works"],
    ["Codex", "1.1", "reads", "a|b", "fails: a"],
    ["Codex", "1.1", "writes", "text", "works"],
  ],
};

test("a run is compared with the page, whatever the versions", () => {
  const text = [
    "<!-- session results -->",
    "",
    "| program | version | direction | cases | result |",
    "| --- | --- | --- | --- | --- |",
    "| pi | 1.0 | reads | text | works |",
    "| Codex | 1.0 | reads | a\\|b | works |",
    "",
    "<!-- end -->",
  ].join("\n");
  expect(changesIn(table, text)).toEqual([
    "Codex 1.1: reads, a|b: result was works, and is fails: a",
    "Codex 1.1: writes, text: not in the table",
  ]);
});
