import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Every module that a module needs, its own included. */
function needs(url: URL, found = new Set<string>()): Set<string> {
  if (found.has(url.href)) return found;
  found.add(url.href);
  for (const [, target = ""] of readFileSync(url, "utf8").matchAll(/from "([^"]+)"/g)) {
    if (!target.startsWith(".")) found.add(target);
    else if (!target.includes("generated")) needs(new URL(target.replace(/\.js$/, ".ts"), url), found);
  }
  return found;
}

test("a store in memory runs in browsers: nothing it needs is of Node", () => {
  const modules = [...needs(new URL("memory-store.ts", import.meta.url))];
  expect(modules.length).toBeGreaterThan(10);
  expect(modules.filter((name) => name.startsWith("node:"))).toEqual([]);
});
