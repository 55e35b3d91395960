import { cpSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Copies the compiled benchmarks into an older checkout. There, `dragoman` and `../../dist` are that checkout's own build, so
 * both versions do the same work.
 */
export function prepareOlder(older: string, root: string): void {
  if (!existsSync(join(older, "dist/cli/main.js"))) {
    throw new Error(`${older} has no build; run npm ci and npm run build there`);
  }
  const from = join(root, ".bench");
  const to = join(older, ".bench");
  const packages = join(from, "node_modules");
  cpSync(from, to, { recursive: true, filter: (path) => path !== packages });
  // A link of an earlier run may lead to packages that no longer exist.
  rmSync(join(to, "node_modules"), { force: true });
  if (existsSync(packages)) symlinkSync(join(root, "bench/peers/node_modules"), join(to, "node_modules"));
}
