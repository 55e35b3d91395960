import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const registry = fileURLToPath(new URL("../src/dialects/registry.ts", import.meta.url));
const JOINED = "virtual:dialects";
const dialect = /^\.\/[\w-]+\/index\.js$/;

/**
 * Loads all dialects as one file. The viewer needs all of them to detect a transcript's, and a file for each dialect and for each
 * module that some of them share was more than a hundred requests. The dialects' names are distinct, so that a module with all of
 * them can stand for each.
 */
export function joinDialects(): Plugin {
  return {
    name: "join-dialects",
    enforce: "pre",
    resolveId(source, importer) {
      return importer === registry && dialect.test(source) ? JOINED : undefined;
    },
    load(id) {
      if (id !== JOINED) return undefined;
      const modules = readFileSync(registry, "utf8").matchAll(/import\("(\.\/[\w-]+\/index)\.js"\)/g);
      return [...modules]
        .map(
          ([, path]) =>
            `export * from ${JSON.stringify(new URL(`${path}.ts`, `file://${registry}`).pathname)};`,
        )
        .join("\n");
    },
  };
}
