import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Row } from "./case.js";
import { cases } from "./cases/index.js";
import { host } from "./host.js";
import { table } from "./table.js";

const USAGE = "usage: npm run bench -- [--full] [--json] [CASE…]";
const root = fileURLToPath(new URL("../", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
});
const names = positionals.length > 0 ? positionals : Object.keys(cases);
const unknown = names.find((name) => cases[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(
    `there is no case "${unknown}"; there are ${Object.keys(cases).join(", ")}\n${USAGE}\n`,
  );
  process.exit(2);
}

// The children run what tsc writes, with nothing between them and Node that would cost time or memory.
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "bench"], {
  cwd: root,
  stdio: "inherit",
});

const results: Record<string, { rows: Row[]; notes: string[] }> = {};
for (const name of names) {
  const found = await cases[name]?.();
  if (found === undefined) continue;
  const notes: string[] = [];
  const rows = await found.measure(host(name, values.full, notes));
  results[name] = { rows, notes };
  if (!values.json)
    process.stdout.write(`\n${name}: ${found.title}\n${[table(rows), ...notes].join("\n")}\n`);
}
if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
