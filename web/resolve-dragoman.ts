import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const web = fileURLToPath(new URL("./", import.meta.url));
const src = fileURLToPath(new URL("../src/", import.meta.url));

/** Builds the app from the library's sources: `dragoman/core` is `src/core/index.ts`, not the published package. */
export function resolveDragoman(): Plugin {
  return {
    name: "resolve-dragoman",
    enforce: "pre",
    resolveId(source, importer) {
      const [, entry] = /^dragoman\/(.+)$/.exec(source) ?? [];
      if (entry === undefined || importer?.startsWith(web) !== true) return undefined;
      return `${src}${entry}/index.ts`;
    },
  };
}
