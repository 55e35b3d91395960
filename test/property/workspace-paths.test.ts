import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTool } from "../../src/tools/read.js";
import { Workspace } from "../../src/tools/workspace.js";
import { writeTool } from "../../src/tools/write.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { call, failureOf } from "../support/tool-call.js";

const segment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "..",
      ".",
      "",
      "in",
      "out",
      "up",
      "deep",
      "file.txt",
      "canary.txt",
      "ws",
      "new",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("~", "\0", "\ud800", "...", " ", "-", "\\", "%2e%2e", "‥", "CON", "a:b"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
);
const path = fc
  .tuple(fc.constantFrom("", "/", "TOP/", "TOP/ws/", "./"), fc.array(segment, { minLength: 1, maxLength: 8 }))
  .map(([start, segments]) => start + segments.join("/"));

/** Links that `up` and `out` make to the outside, in every folder. */
function build(top: string): void {
  for (const folder of ["ws", "ws/in", "ws/in/deep"]) {
    mkdirSync(join(top, folder), { recursive: true });
    writeFileSync(join(top, folder, "file.txt"), "inside");
    symlinkSync(top, join(top, folder, "out"));
    symlinkSync("..", join(top, folder, "up"));
  }
  writeFileSync(join(top, "canary.txt"), "canary");
}

test("no path reads or writes anything outside of the workspace", async () => {
  const top = temporaryFolder();
  build(top);
  const workspace = new Workspace(join(top, "ws"));
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(path, async (pattern) => {
      const file_path = pattern.replace("TOP", top);
      const outcomes = [
        await failureOf(call(readTool(workspace), { file_path })),
        await failureOf(call(writeTool(workspace), { file_path, content: "written" })),
      ];
      for (const outcome of outcomes) {
        const kind = typeof outcome === "string" ? (outcome.split(":")[0] ?? "") : "worked";
        seen[kind] = (seen[kind] ?? 0) + 1;
      }
      expect(JSON.stringify(outcomes)).not.toContain('"text":"canary"');
      expect(readdirSync(top).sort()).toEqual(["canary.txt", "ws"]);
      expect(readFileSync(join(top, "canary.txt"), "utf8")).toBe("canary");
    }),
    { numRuns: 600 },
  );
  expect(seen["worked"]).toBeGreaterThan(100);
  expect(seen["tools/outside-workspace"]).toBeGreaterThan(300);
});
