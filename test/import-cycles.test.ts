import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Imports that exist when the program runs. Those of types, and those inside functions, make no cycle. */
const importPattern = /^(?:import|export) (?!type\b)(?:[^"';]*? from )?"(\.[^"]+)"/gm;

type Graph = ReadonlyMap<string, readonly string[]>;

function importsIn(path: string, text: string): string[] {
  return [...text.matchAll(importPattern)].map(([, target = ""]) => join(dirname(path), target));
}

function graphOf(folders: readonly string[]): Graph {
  const paths = folders.flatMap((folder) => filesIn(folder));
  return new Map(
    paths.map((path) => [path, importsIn(path, readFileSync(join(root, path), "utf8")).map(sourceOf)]),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesIn(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** `./a.js` is written in `a.ts` or `a.tsx`. */
function sourceOf(target: string): string {
  const stem = target.replace(/\.js$/, "");
  return existsSync(join(root, `${stem}.tsx`)) ? `${stem}.tsx` : `${stem}.ts`;
}

/** A file, those it leads to, and itself again; undefined if there is no cycle. */
function cycleIn(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] | undefined => {
    const at = way.indexOf(path);
    if (at !== -1) return [...way.slice(at), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...way, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

test("no file imports itself by way of others", () => {
  const graph = graphOf(["src", "web", "test", "bench", "scripts", "examples"]);
  expect([...graph.values()].flat().length).toBeGreaterThan(5_000);
  expect(cycleIn(graph)).toBeUndefined();
});

test("a cycle is found, and imports of types and in functions make none", () => {
  const text = [
    'import { a } from "./a.js";',
    'import type { B } from "./b.js";',
    'import {\n  c,\n} from "../c.js";',
    'export * from "./d.js";',
    'import "./e.js";',
    'const f = () => import("./f.js");',
  ].join("\n");
  expect(importsIn("x/y.ts", text)).toEqual(["x/a.js", "c.js", "x/d.js", "x/e.js"]);
  expect(
    cycleIn(
      new Map([
        ["a", ["b", "c"]],
        ["b", []],
        ["c", ["d"]],
        ["d", ["b", "a"]],
      ]),
    ),
  ).toEqual(["a", "c", "d", "a"]);
});
