import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { build, type Plugin } from "rolldown";
import { unicodeEscape } from "../src/core/json/visible.js";

/** Modules that the tests and benchmarks of this repository import from `dist`; not part of the package's interface. */
const INTERNAL = [
  "cli/command-line",
  "convert/convert",
  "convert/detect",
  "dialects/registry",
  "gateway/channels/desk",
  "log/catalogue/catalogue",
  "log/files/home",
  "log/locks/lock",
  "log/postgres/postgres-store",
  "runtime/runtime",
  "runtime/sessions",
  "runtime/sources/source",
];

/**
 * The files that entries share. Each consists of the modules that the named ones import, without those of the files
 * above it; `core/` stands for all that is left of a folder. A gateway needs nearly all of them to start, and a few large
 * files load faster than 500 small ones; an import of `dragoman/framing` must not load the gateway.
 */
const PARTS: readonly { name: string; from: string }[] = [
  { name: "error", from: "core/error" },
  { name: "framing", from: "framing/index" },
  { name: "core", from: "core/index" },
  { name: "library", from: "index" },
  { name: "dialect", from: "core/" },
  { name: "command-line", from: "cli/command-line" },
  { name: "version", from: "cli/version" },
  { name: "agent", from: "agent/index" },
  { name: "log", from: "log/index" },
  { name: "providers", from: "providers/index" },
  { name: "client", from: "client/index" },
  { name: "convert", from: "cli/convert" },
  { name: "sessions", from: "cli/sessions/list" },
  { name: "runtime", from: "runtime/index" },
  { name: "timbal", from: "dialects/timbal/index" },
  { name: "demo", from: "providers/demo/index" },
  { name: "gateway", from: "cli/serve" },
];

/** Bundles the sources into `dist`: an entry for each public module, and few files with what they share. Returns the entries. */
export async function bundle(root: string): Promise<string[]> {
  const src = `${root}src/`;
  const entries = [...publicModules(root), ...INTERNAL];
  await build({
    input: Object.fromEntries(entries.map((module) => [module, `${src}${module}.ts`])),
    platform: "node",
    // TypeBox would be 200 modules; of the bundled one only what is called is left.
    external: (id) => /^[^./]/.test(id) && !id.startsWith("@sinclair/typebox"),
    treeshake: { moduleSideEffects: false },
    plugins: [placesOf(src), ascii],
    // A module that is loaded lazily in one place and eagerly in another is not an error.
    checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
    output: {
      dir: `${root}dist`,
      entryFileNames: "[name].js",
      chunkFileNames: "parts/[name]-[hash].js",
      comments: false,
      codeSplitting: {
        groups: PARTS.map(({ name, from }, index) => ({
          name,
          test: (id) => (from.endsWith("/") ? id.startsWith(`${src}${from}`) : id === `${src}${from}.ts`),
          minShareCount: from.endsWith("/") ? 2 : 1,
          priority: PARTS.length - index,
        })),
      },
    },
  });
  return entries;
}

/** The modules that `package.json` publishes, relative to `src` and without their extensions. */
function publicModules(root: string): string[] {
  const { exports, bin } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const files = [bin.dragoman, ...Object.values<{ default?: string }>(exports).map((entry) => entry.default)];
  return files.flatMap((file) => {
    const [, module] = /dist\/(.+)\.js$/.exec(file ?? "") ?? [];
    if (module === undefined) return [];
    const [before, after] = module.split("*");
    if (after === undefined) return [module];
    const folders = readdirSync(`${root}src/${before}`, { withFileTypes: true });
    return folders.filter((entry) => entry.isDirectory()).map(({ name }) => `${before}${name}${after}`);
  });
}

/** Some modules find files of the package by their own address; a bundled one is in `parts`. */
function placesOf(src: string): Plugin {
  return {
    name: "places",
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type === "asset" || file.fileName.startsWith("parts/")) continue;
        if (file.code.includes("import.meta.url"))
          throw new Error(`${file.fileName} must not look for files`);
      }
    },
    transform(code, id) {
      if (!code.includes("import.meta.url")) return null;
      const place = JSON.stringify(`../${relative(src, id)}`);
      return code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url)`);
    },
  };
}

/** A source with one character outside of Latin-1 takes twice the memory, and longer to parse. */
const ascii: Plugin = {
  name: "ascii",
  generateBundle: (_options, files) => {
    for (const file of Object.values(files)) {
      if (file.type !== "chunk") continue;
      file.code = file.code.replace(/[\u0080-\uffff]/g, unicodeEscape);
    }
  },
};
