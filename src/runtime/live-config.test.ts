import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { readConfig } from "./config.js";
import { LiveConfig } from "./live-config.js";
import type { Config } from "./schema.js";

function follow() {
  const home = temporaryFolder();
  const applied: Config[] = [];
  const waiting: (() => void)[] = [];
  const live = new LiveConfig({
    home,
    read: () => readConfig(home, {}),
    apply: async (config) => {
      applied.push(config);
      for (const resolve of waiting.splice(0)) resolve();
    },
  });
  return { home, live, applied, next: () => new Promise<void>((resolve) => waiting.push(resolve)) };
}

test("a change of another program is applied, an invalid one is reported", async () => {
  const { home, live, applied, next } = follow();
  const file = join(home, "config.json");
  let report: (error: unknown) => void = () => undefined;
  const reported = new Promise<unknown>((resolve) => {
    report = resolve;
  });
  onTestFinished(live.watch((error) => report(error)));
  const changed = next();
  writeFileSync(file, '{"model": "demo/tools"}');
  await changed;
  expect(applied.at(-1)).toEqual({ model: "demo/tools" });
  writeFileSync(file, '{"model": 5}  ');
  expect(await reported).toMatchObject({ code: "config/invalid", at: "/model" });
  expect(applied).toHaveLength(1);
});

test("changes are made together, and the file is kept if one is wrong", async () => {
  const { home, live, applied } = follow();
  await live.change([
    { path: ["model"], value: "demo/echo" },
    { path: ["agents", "a", "maxTurns"], value: 3 },
  ]);
  await live.change([{ path: ["agents", "a"] }]);
  expect(applied).toEqual([{ model: "demo/echo", agents: { a: { maxTurns: 3 } } }, { model: "demo/echo" }]);
  const before = readFileSync(join(home, "config.json"), "utf8");
  await expect(live.change([{ path: ["model"], value: 1 }])).rejects.toThrow("expected");
  expect(readFileSync(join(home, "config.json"), "utf8")).toBe(before);
});
