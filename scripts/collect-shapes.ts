import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadReader } from "../src/convert/detect.js";
import { recordReader } from "../src/convert/read.js";
import { safeKey } from "../src/convert/shapes/safe-name.js";
import { formatShapes, parseShapes } from "../src/convert/shapes/shape-list.js";
import { walkShapes } from "../src/convert/shapes/walk.js";
import { loadKnownShapes } from "../src/dialects/registry.js";

/*
 * Adds the shapes of files to the list of a dialect:
 *
 *     npx tsx scripts/collect-shapes.ts DIALECT FILE…
 *
 * Review what it adds: a field that is free-form, or a map whose keys are ids, names or paths, belongs in `free`. With
 * `--new` the list starts empty.
 */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { new: { type: "boolean" } } });
const [name = "", ...files] = positionals;
const { framing } = await loadReader(name);
const known = await loadKnownShapes(name);
if (known === undefined) throw new Error(`${name} has no known-shapes.ts`);
const table = parseShapes(values.new === true ? "" : known.objects);

/** Probably not the names of fields. */
const unusual = new Set<string>();

function add(path: string, key: string, type: string): boolean {
  if (safeKey(key) !== key || path.includes("{value}")) unusual.add(`${path} ${JSON.stringify(key)}`);
  const fields = table.get(path) ?? new Map<string, Set<string>>();
  table.set(path, fields);
  fields.set(key, (fields.get(key) ?? new Set()).add(type));
  return true;
}

for (const file of files) {
  const reader = recordReader(framing.kind === "frames" ? { kind: "lines" } : framing, {
    onBad: () => undefined,
  });
  for (const record of [...reader.push(readFileSync(file)), ...reader.finish()]) {
    walkShapes(record.value, known, {
      visitObject: (path) => table.set(path, table.get(path) ?? new Map()),
      visitField: add,
    });
  }
}

const path = fileURLToPath(new URL(`../src/dialects/${name}/known-shapes.ts`, import.meta.url));
const source = readFileSync(path, "utf8");
const list = formatShapes(table);
writeFileSync(
  path,
  source.replace(/(objects: `\n)[^`]*/, (_, head: string) => `${head}${list}`),
);
for (const key of unusual) process.stderr.write(`is it the name of a field? ${key}\n`);
