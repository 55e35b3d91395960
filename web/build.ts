import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { buildStandalone } from "./build-standalone.js";
import { resolveDragoman } from "./resolve-dragoman.js";

const root = fileURLToPath(new URL("./", import.meta.url));

/** Bundles the pages into `outDir`, and a compressed copy beside each file. */
export async function buildWeb(outDir: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [resolveDragoman(), react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      // The first browsers that know light-dark().
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      // The page's policy lets it load files of its own only, so that nothing becomes a data: URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { input: [join(root, "index.html"), join(root, "view.html")] },
    },
  });
  await buildStandalone(outDir);
  compress(outDir);
}

function compress(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }));
  }
}
