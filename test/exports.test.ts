import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The names a module of the built package exports, as a user's program sees them. */
function namesOf(module: string): string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(module)})).sort()))`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
  );
}

const expected: Record<string, string[]> = {
  "dragoman/core": [
    "DragomanError",
    "ERROR_CODES",
    "MessageReducer",
    "collect",
    "emptyUsage",
    "events",
    "idSource",
    "is",
    "liveEvents",
    "mismatches",
    "newId",
    "parse",
    "priced",
    "reduce",
    "sumUsage",
  ],
};

test.each(Object.entries(expected))("%s exports these names", (module, names) => {
  expect(namesOf(module)).toEqual(names);
});

test("every subpath of the package is pinned here", () => {
  const manifest: { exports: Record<string, unknown> } = JSON.parse(readFileSync("package.json", "utf8"));
  const code = Object.keys(manifest.exports).filter((path) => !/\*|\.json$/.test(path));
  expect(code.map((path) => path.replace(/^\./, "dragoman")).sort()).toEqual(Object.keys(expected).sort());
});
