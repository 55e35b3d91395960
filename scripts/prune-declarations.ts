import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Removes the declarations that no entry refers to, which are most of them. */
export function pruneDeclarations(dist: string, entries: readonly string[]): void {
  const needed = new Set<string>();
  const add = (path: string) => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const [, module] of readFileSync(path, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g)) {
      add(join(dirname(path), `${module}.d.ts`));
    }
  };
  for (const module of entries) add(join(dist, `${module}.d.ts`));
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && path.endsWith(".d.ts") && !needed.has(path)) rmSync(path);
  }
}
