import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { call, failureOf } from "../../test/support/tool-call.js";
import { canAnchor } from "./anchor.js";
import { readTool } from "./read.js";
import { Workspace } from "./workspace.js";
import { writeTool } from "./write.js";

/**
 * Exchanges the folder `turn` for a link to the outside and back, as fast as it can, until its input ends. A write makes the folder
 * when there is none for a moment; that goes away again.
 */
const swapper = `
  const { renameSync, symlinkSync, unlinkSync, rmSync } = require("node:fs");
  const tryTo = (step) => { try { step(); return true; } catch { return false; } };
  let swaps = 0, over = false;
  process.stdin.on("end", () => { over = true; }).resume();
  (function swap() {
    for (let i = 0; i < 50; i++) {
      tryTo(() => renameSync("turn", "aside"));
      if (tryTo(() => symlinkSync("../outside", "turn")) && swaps++ === 0) console.log("begun");
      tryTo(() => unlinkSync("turn")) || tryTo(() => rmSync("turn", { recursive: true }));
      tryTo(() => renameSync("aside", "turn"));
    }
    if (over) console.log(swaps); else setImmediate(swap);
  })();
`;

test("a folder that another process keeps exchanging for a link never leads outside", async () => {
  if (!canAnchor) {
    process.stderr.write("not raced: without /proc this cannot be promised\n");
    return;
  }
  const top = temporaryFolder();
  for (const folder of ["ws", "ws/turn", "outside"]) mkdirSync(join(top, folder));
  writeFileSync(join(top, "ws/turn/file.txt"), "inside");
  writeFileSync(join(top, "outside/file.txt"), "canary");
  const child = spawn(process.execPath, ["-e", swapper], { cwd: join(top, "ws") });
  await once(child.stdout, "data");

  const workspace = new Workspace(join(top, "ws"));
  const [read, write] = [readTool(workspace), writeTool(workspace)];
  const seen: Record<string, number> = {};
  const count = (outcome: unknown) => {
    const text = typeof outcome === "string" ? outcome : JSON.stringify(outcome);
    const kind = /^tools\/[a-z-]+/.exec(text)?.[0] ?? (text.includes("canary") ? "canary" : "worked");
    seen[kind] = (seen[kind] ?? 0) + 1;
  };
  const refused = () => (seen["tools/changed"] ?? 0) + (seen["tools/outside-workspace"] ?? 0);
  for (let round = 0; round < 1000 || (seen["worked"] ?? 0) < 50 || refused() < 50; round++) {
    count(await failureOf(call(read, { file_path: "turn/file.txt" })));
    // Seldom, because each waits for the disk.
    if (round % 10 === 0) {
      count(await failureOf(call(write, { file_path: `turn/${round}.txt`, content: "dead" })));
    }
  }
  const swaps = once(child.stdout, "data");
  child.stdin.end();

  expect(Number(await swaps)).toBeGreaterThan(100);
  expect(Object.keys(seen)).not.toContain("canary");
  expect(
    Object.keys(seen).every((kind) => /^(worked|tools\/(outside-workspace|changed|not-found))$/.test(kind)),
  ).toBe(true);
  expect(readdirSync(join(top, "outside"))).toEqual(["file.txt"]);
  expect(readFileSync(join(top, "outside/file.txt"), "utf8")).toBe("canary");
});
