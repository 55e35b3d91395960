import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { browsers } from "./browsers.js";
import { buildStandalone } from "./build-standalone.js";
import { joinDialects } from "./join-dialects.js";
import { resolveDragoman } from "./resolve-dragoman.js";

/** What the pages load at first, in a few files instead of one for each set of pages and later files that share a module. */
const firstLoad = {
  name: "page",
  tags: ["$initial" as const],
  entriesAware: true,
  entriesAwareMergeThreshold: 10_000,
};

const root = fileURLToPath(new URL("./", import.meta.url));

/** Bundles the app and the viewer into `outDir`, with a compressed copy of each file. */
export async function buildWeb(outDir: string): Promise<void> {
  await bundlePages(root, ["index.html", "view.html"], outDir);
  await buildStandalone(outDir);
  compress(outDir);
}

/** Bundles pages with the settings of the served ones. */
export async function bundlePages(folder: string, pages: readonly string[], outDir: string): Promise<void> {
  // React and its plugin read it, and test runners set another value.
  process.env["NODE_ENV"] = "production";
  await build({
    root: folder,
    configFile: false,
    logLevel: "warn",
    plugins: [resolveDragoman(), joinDialects(), react()],
    build: {
      outDir,
      emptyOutDir: true,
      ...browsers,
      // The page's content security policy forbids data: URLs.
      assetsInlineLimit: 0,
      // A worker runs the viewer's script, and has no document to add other preloads to.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, { hostType }) =>
          hostType === "html" ? files : files.filter((file) => file.endsWith(".css")),
      },
      reportCompressedSize: false,
      // The dialects are one file, which the viewer loads after its page is shown.
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        input: pages.map((page) => join(folder, page)),
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: { groups: [firstLoad] },
          // A group's name is followed by those of all files that share it.
          chunkFileNames: ({ name }) => `assets/${name.replace(/^virtual_|~.*/g, "")}-[hash].js`,
          assetFileNames: ({ names: [name = ""] }) =>
            `assets/${name.replace(/~.*(?=\.)|\.[^.]*$/g, "")}-[hash][extname]`,
        },
      },
    },
  });
}

function compress(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }));
  }
}
